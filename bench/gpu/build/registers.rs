//! Reads from machine code how many registers and how much local memory each kernel needs per thread.
use std::collections::BTreeMap;

/// The attributes for the number of registers and the frame size in an info section, and the format with a size field.
const COUNT: u8 = 0x2f;
const FRAME: u8 = 0x11;
const SIZED: u8 = 4;
/// The size of a symbol in bytes.
const SYMBOL: usize = 24;

/// A section of the file.
struct Section<'a> {
    name: &'a str,
    bytes: &'a [u8],
    link: usize,
}

/// The resources of a kernel per thread.
#[derive(Default)]
pub struct Taken {
    pub registers: u32,
    /// Bytes of local memory.
    pub local: u32,
}

/// The kernels of a file; empty if the file is not valid.
pub fn taken(file: &[u8]) -> BTreeMap<String, Taken> {
    sections(file).and_then(|all| facts(&all)).unwrap_or_default()
}

fn sections(file: &[u8]) -> Option<Vec<Section<'_>>> {
    let at = usize::try_from(number(file, 40, 8)?).ok()?;
    let (size, count, names) = (number(file, 58, 2)?, number(file, 60, 2)?, number(file, 62, 2)?);
    let field = |k: u64, offset: usize, bytes: usize| number(file, at + (k * size) as usize + offset, bytes);
    let bytes = |k: u64| {
        // A section without bytes in the file is empty.
        let (from, length) = (field(k, 24, 8)? as usize, field(k, 32, 8)? as usize);
        Some(file.get(from..from.checked_add(length)?).unwrap_or_default())
    };
    let texts = bytes(names)?;
    let section = |k: u64| {
        let name = text(texts, field(k, 0, 4)? as usize)?;
        Some(Section { name, bytes: bytes(k)?, link: field(k, 40, 4)? as usize })
    };
    (0..count).map(section).collect()
}

fn facts(all: &[Section<'_>]) -> Option<BTreeMap<String, Taken>> {
    let find = |name: &str| all.iter().find(|s| s.name == name);
    let (facts, symbols) = (find(".nv.info")?.bytes, find(".symtab")?);
    let names = all.get(symbols.link)?.bytes;
    let mut found: BTreeMap<String, Taken> = BTreeMap::new();
    let mut at = 0;
    while let Some([kind, fact]) = facts.get(at..at + 2) {
        at += 4;
        if *kind != SIZED {
            continue;
        }
        if let COUNT | FRAME = *fact {
            let symbol = number(facts, at, 4)? as usize;
            let name = text(names, number(symbols.bytes, symbol * SYMBOL, 4)? as usize)?;
            let value = u32::try_from(number(facts, at + 4, 4)?).ok()?;
            let taken = found.entry(name.to_string()).or_default();
            *(if *fact == COUNT { &mut taken.registers } else { &mut taken.local }) = value;
        }
        at += number(facts, at - 2, 2)? as usize;
    }
    Some(found)
}

/// A little-endian number of this many bytes.
fn number(bytes: &[u8], at: usize, count: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(count)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// A zero-terminated text.
fn text(bytes: &[u8], at: usize) -> Option<&str> {
    let rest = bytes.get(at..)?;
    std::str::from_utf8(&rest[..rest.iter().position(|byte| *byte == 0)?]).ok()
}
