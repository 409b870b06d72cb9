//! The conventions that the build script and the macro share: names of files and entries, keys and flags. The build script
//! writes into the folder that cargo gives it, and the macro reads from there.
//!
//! | file in `OUT_DIR/systolic` | holds |
//! | --- | --- |
//! | `KEY.plan` | the launch plan, as Rust |
//! | `KEY.ptx` | code for the lowest architecture and all later ones |
//! | `KEY.compute_80.ptx` | code for architectures from 8.0 on, if the unit copies to shared memory without waiting |
//! | `KEY.compute_90.ptx` | code for architectures from 9.0 on, if the unit runs two blocks as one |
//! | `KEY.sm_90.cubin` | code for one architecture |
//! | `KEY.map` | the map that a search chose, as text |
//! | `KEY.why` | why there is no code |
//! | `KEY.series` | for the first of a series of launches: the arrays of all, as Rust |
//! | `systolic.cuh` | the header that the sources include |
//! | `both.cuh` | the header that sources also include if they run two blocks as one |
//!
//! | entry of a unit | uses |
//! | --- | --- |
//! | `KEY_wide` | indices of 32 bits, aligned wide accesses |
//! | `KEY_any` | indices of 32 bits |
//! | `KEY_64` | indices of 64 bits |

/// The folder inside `OUT_DIR`.
pub const FOLDER: &str = "systolic";
/// The header that every source includes.
pub const HEADER_NAME: &str = "systolic.cuh";
/// The header's text.
pub const HEADER: &str = concat!(include_str!("emit/cuda/systolic.cuh"), include_str!("emit/cuda/warp.cuh"));
/// The header of units that run two blocks as one.
const BOTH_NAME: &str = "both.cuh";
const BOTH: &str = include_str!("emit/cuda/both.cuh");
/// All headers: their names and texts.
pub const HEADERS: [(&str, &str); 2] = [(HEADER_NAME, HEADER), (BOTH_NAME, BOTH)];
/// The options with which nvcc compiles a source to PTX; the header's folder and the file names are added. `-fmad=false`
/// keeps nvcc from fusing products and sums that the source does not fuse.
pub const FLAGS: [&str; 6] = ["--ptx", "-arch=compute_75", "-std=c++17", "-fmad=false", "-Werror", "all-warnings"];
/// The flag of the architecture among `FLAGS`.
const ARCHITECTURE: &str = FLAGS[1];
/// Suffixes of the entries: wide accesses, any alignment, 64-bit indices.
pub const WIDE: &str = "wide";
pub const ANY: &str = "any";
pub const LONG: &str = "64";
/// The placeholder for the path of the crate `systolic` in a launch plan.
pub const CRATE: &str = "systolic_crate";

pub fn plan_file(key: &str) -> String {
    format!("{key}.plan")
}

pub fn ptx_file(key: &str) -> String {
    format!("{key}.ptx")
}

/// The file of the second PTX, for an architecture and all later ones.
pub fn later_ptx_file(key: &str, later: u32) -> String {
    format!("{key}.compute_{later}.ptx")
}

/// A flag of nvcc for the second PTX.
pub fn later_flag(flag: &str, later: u32) -> String {
    if flag == ARCHITECTURE { format!("-arch=compute_{later}") } else { flag.to_string() }
}

pub fn cubin_file(key: &str, architecture: u32) -> String {
    format!("{key}.sm_{architecture}.cubin")
}

pub fn map_file(key: &str) -> String {
    format!("{key}.map")
}

pub fn why_file(key: &str) -> String {
    format!("{key}.why")
}

pub fn series_file(key: &str) -> String {
    format!("{key}.series")
}

/// The key of a launch of a series, into which a kernel is cut. They count from 1.
pub fn member_key(key: &str, number: usize) -> String {
    format!("{key}s{number}")
}

/// The key of a variant of a program: the same kernel with another map, for other sizes. They count from 1.
pub fn variant_key(key: &str, number: usize) -> String {
    format!("{key}v{number}")
}

/// The code that a build script has stored for a program.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The launch plan, as Rust.
    pub plan: String,
    pub images: Vec<Image>,
    /// The map that a search chose, as text.
    pub map: Option<String>,
    /// The arrays of a series, as Rust, if this is its first launch.
    pub series: Option<String>,
    /// Why there are no images.
    pub why: String,
}

/// A file of machine code or PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    pub architecture: u32,
    /// Whether it is PTX, which the driver compiles for any later architecture. Otherwise it runs on one architecture alone.
    pub is_ptx: bool,
    /// The file's name in the folder.
    pub file: String,
}

/// The artifact store: looks up by key what a build script has stored for a program. Fails with the reason if there is
/// nothing.
pub type ArtifactStore<'s> = &'s dyn Fn(&str) -> Result<Compiled, String>;

/// The architecture of this key's cubin, from the file's name.
pub fn cubin_architecture(key: &str, file: &str) -> Option<u32> {
    file.strip_prefix(key)?.strip_prefix(".sm_")?.strip_suffix(".cubin")?.parse().ok()
}

/// A key for these texts: the kernel's name and a hash. Equal texts give equal keys.
pub fn key(kernel: &str, texts: &[&str]) -> String {
    let plain: String = kernel.chars().filter(char::is_ascii_alphanumeric).take(24).collect();
    let mut hash = Hash::new();
    for text in texts {
        hash.add(text.as_bytes());
        // A separator that occurs in no UTF-8 text, so that moving text from one to the next changes the hash.
        hash.add(&[0xff]);
    }
    format!("k_{}_{:032x}", plain.to_ascii_lowercase(), hash.0)
}

/// The 128-bit FNV-1a hash by Fowler, Noll and Vo.
struct Hash(u128);

impl Hash {
    fn new() -> Hash {
        Hash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_a_file_name_and_says_what_it_is_of() {
        let a = key("conv2d", &["text", "map 0"]);
        assert!(a.starts_with("k_conv2d_"), "{a}");
        assert!(a.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'), "{a}");
        assert_ne!(a, key("conv2d", &["textmap", " 0"]));
        assert_eq!(a, key("conv2d", &["text", "map 0"]));
    }

    #[test]
    fn a_cubin_is_known_by_its_name() {
        assert_eq!(cubin_architecture("k", &cubin_file("k", 90)), Some(90));
        assert_eq!(cubin_architecture("k", "k.ptx"), None);
        assert_eq!(cubin_architecture("k", "k.sm_x.cubin"), None);
    }
}
