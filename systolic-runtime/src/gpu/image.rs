//! Chooses the code of a kernel for a device, and explains why the driver rejected it.
use super::device::Properties;
use super::plan::{Image, Plan};
use super::raw::Refusal;
use crate::error::Error;
use crate::text::names;
use std::sync::OnceLock;

/// The driver's error code for an invalid image.
const NO_MODULE: u32 = 200;
/// The driver's error code for an image without code for the device.
const NO_BINARY: u32 = 209;
/// The driver's error code for PTX that is too new for it.
const TOO_NEW: u32 = 222;

/// The kind of code that the environment variable `SYSTOLIC_GPU_CODE` requests. It is read once.
pub fn asked() -> Option<&'static str> {
    static ASKED: OnceLock<Option<String>> = OnceLock::new();
    let read = || std::env::var_os("SYSTOLIC_GPU_CODE").map(|kind| kind.to_string_lossy().into_owned());
    ASKED.get_or_init(read).as_deref()
}

/// Returns the image for a device: a cubin for exactly its architecture, otherwise the PTX for the latest architecture not
/// above it. If `ptx` or `cubin` is requested, only that kind is considered. Fails if there is no such image.
pub fn choose(plan: &Plan, arch: u32, asked: Option<&str>) -> Result<&'static Image, Error> {
    let none = |there: String| Error::NoCode { kernel: plan.kernel, device: arch, there };
    let cubin = plan.images.iter().find(|image| !image.ptx && image.arch == arch);
    let ptx = plan.images.iter().filter(|image| image.ptx && image.arch <= arch).max_by_key(|image| image.arch);
    let found = match asked {
        None => cubin.or(ptx),
        Some("ptx") => ptx,
        Some("cubin") => cubin,
        Some(other) => return Err(none(format!("SYSTOLIC_GPU_CODE is `{other}`, neither `ptx` nor `cubin`"))),
    };
    let only = asked.map_or(String::new(), |kind| format!("SYSTOLIC_GPU_CODE allows only {kind}; "));
    found.ok_or_else(|| none(only + &there(plan)))
}

/// Describes the images that there are, or why there are none.
fn there(plan: &Plan) -> String {
    if plan.images.is_empty() {
        return plan.why.to_string();
    }
    let each = plan.images.iter().map(|Image { arch, ptx, .. }| match ptx {
        true => format!("PTX for sm_{arch} and later"),
        false => format!("a cubin for sm_{arch}"),
    });
    format!("there is {}", names(&each.collect::<Vec<_>>()))
}

/// Returns the image as the driver expects it: PTX text ends in a zero, the sections and segments of a cubin are inside the
/// file. Fails for other images, because with them the driver would read out of bounds.
pub fn checked(plan: &Plan, image: &Image) -> Result<Vec<u8>, Error> {
    let refuse = |log: &str| Error::Jit { kernel: plan.kernel, code: NO_MODULE, log: log.to_string() };
    if image.ptx {
        let text = image.bytes.strip_suffix(b"\0").unwrap_or(image.bytes);
        if text.contains(&0) || !text.is_ascii() {
            return Err(refuse("the PTX is not plain text"));
        }
        return Ok([text, b"\0"].concat());
    }
    if whole(image.bytes) { Ok(image.bytes.to_vec()) } else { Err(refuse("the cubin is incomplete")) }
}

/// Returns whether this is a 64-bit ELF file whose headers, sections and segments are inside it.
fn whole(bytes: &[u8]) -> bool {
    const SECTION_WITHOUT_BYTES: u64 = 8;
    let number = |at: usize, size: usize| {
        let bytes = bytes.get(at..at.checked_add(size)?)?;
        Some(bytes.iter().rev().fold(0u64, |all, byte| all << 8 | u64::from(*byte)))
    };
    let inside = |start: u64, size: u64| start.checked_add(size).is_some_and(|end| end <= bytes.len() as u64);
    // Checks a table. `at`: where the header stores the table's start, entry size and entry count. `offset` and `size`: where
    // an entry stores its part's offset and size. `empty`: where an entry stores its kind, and the kind without bytes.
    let table = |at: [usize; 3], offset: usize, size: usize, empty: Option<(usize, u64)>| {
        let (start, entry, count) = (number(at[0], 8)?, number(at[1], 2)?, number(at[2], 2)?);
        let fits = inside(start, entry * count) && (count == 0 || entry as usize >= size + 8);
        let each = |k: u64| {
            let entry = usize::try_from(start + k * entry).ok()?;
            let nothing = empty.is_some_and(|(at, kind)| number(entry + at, 4) == Some(kind));
            Some(nothing || inside(number(entry + offset, 8)?, number(entry + size, 8)?))
        };
        Some(fits && (0..count).all(|k| each(k) == Some(true)))
    };
    let head = bytes.starts_with(b"\x7fELF\x02\x01");
    let sections = || table([0x28, 0x3a, 0x3c], 0x18, 0x20, Some((4, SECTION_WITHOUT_BYTES)));
    let segments = || table([0x20, 0x36, 0x38], 0x08, 0x20, None);
    head && sections() == Some(true) && segments() == Some(true)
}

/// Converts the driver's refusal of an image to an error.
pub fn refused(plan: &Plan, image: &Image, device: &Properties, refusal: Refusal) -> Error {
    let (kernel, Refusal { code, log }) = (plan.kernel, refusal);
    match code {
        NO_BINARY => {
            let there = format!("{}, but the driver found no code for the device in it", there(plan));
            Error::NoCode { kernel, device: device.arch(), there }
        }
        TOO_NEW => {
            let (major, minor) = device.driver;
            Error::PtxTooNew { kernel, ptx: version(image.bytes), driver: format!("{major}.{minor}") }
        }
        _ => Error::Jit { kernel, code, log },
    }
}

/// The version in the `.version` line of PTX text.
fn version(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let stated = text.lines().find_map(|line| line.trim().strip_prefix(".version"));
    stated.map_or_else(|| "unknown".to_string(), |version| version.trim().to_string())
}

#[cfg(test)]
mod tests;
