//! What the build script and the macro must agree on: names of files and entries, keys, flags. They meet in the folder
//! that cargo gives a package's build script.
//!
//! | file in `OUT_DIR/systolic` | holds |
//! | --- | --- |
//! | `KEY.plan` | the launch plan, as Rust |
//! | `KEY.ptx` | code for the lowest architecture and all later ones |
//! | `KEY.sm_90.cubin` | code for one architecture |
//! | `KEY.why` | why there is no code |
//! | `systolic.cuh` | what the sources stand on |
//!
//! | entry of a unit | takes |
//! | --- | --- |
//! | `KEY_wide` | indices of 32 bits, accesses of several elements aligned |
//! | `KEY_any` | indices of 32 bits |
//! | `KEY_64` | indices of 64 bits |

/// The folder under `OUT_DIR`.
pub const FOLDER: &str = "systolic";
/// What every source includes.
pub const HEADER_NAME: &str = "systolic.cuh";
/// Its text.
pub const HEADER: &str = concat!(include_str!("emit/cuda/systolic.cuh"), include_str!("emit/cuda/warp.cuh"));
/// How nvcc makes PTX of a source; the folder of the header and the files are added. No product is fused with a sum that
/// the text does not fuse.
pub const FLAGS: [&str; 6] = ["--ptx", "-arch=compute_75", "-std=c++17", "-fmad=false", "-Werror", "all-warnings"];
/// Entries: wide accesses, any alignment, long indices.
pub const WIDE: &str = "wide";
pub const ANY: &str = "any";
pub const LONG: &str = "64";
/// The word that stands for the path of the crate `systolic` in a plan.
pub const CRATE: &str = "systolic_crate";

pub fn plan_file(key: &str) -> String {
    format!("{key}.plan")
}

pub fn ptx_file(key: &str) -> String {
    format!("{key}.ptx")
}

pub fn cubin_file(key: &str, architecture: u32) -> String {
    format!("{key}.sm_{architecture}.cubin")
}

pub fn why_file(key: &str) -> String {
    format!("{key}.why")
}

/// What a build script has left for a program.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The launch plan, as Rust.
    pub plan: String,
    pub images: Vec<Image>,
    /// Why there are none.
    pub why: String,
}

/// A file of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    pub architecture: u32,
    /// Text that a driver compiles; else for one architecture alone.
    pub is_ptx: bool,
    /// By its name in the folder.
    pub file: String,
}

/// Finds by its key what a build script has left for a program; else why there is nothing.
pub type Shelf<'s> = &'s dyn Fn(&str) -> Result<Compiled, String>;

/// The architecture of a cubin of this key, by the name of its file.
pub fn cubin_architecture(key: &str, file: &str) -> Option<u32> {
    file.strip_prefix(key)?.strip_prefix(".sm_")?.strip_suffix(".cubin")?.parse().ok()
}

/// A name for what these texts say: the kernel's, and a hash. The same texts, the same key.
pub fn key(kernel: &str, texts: &[&str]) -> String {
    let plain: String = kernel.chars().filter(char::is_ascii_alphanumeric).take(24).collect();
    let mut hash = Hash::new();
    for text in texts {
        hash.add(text.as_bytes());
        // A byte that no text has, so that two texts are not one.
        hash.add(&[0xff]);
    }
    format!("k_{}_{:032x}", plain.to_ascii_lowercase(), hash.0)
}

/// Fowler, Noll and Vo's, in 128 bits.
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
