//! Generates `src/table.rs`: every function of the bindings that `cust` or the runtime names, with its argument types reduced to
//! those that the calling convention distinguishes. The first path is the bindings, the others are folders of callers.
//!
//! ```sh
//! cargo run -p systolic-driver --example table -- PATH/TO/cust_raw-0.11.3/src/cuda.rs PATH/TO/cust-0.3.2/src \
//!     systolic-runtime/src > table.rs && mv table.rs systolic-driver/src
//! ```
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Functions that are written by hand, because they must work without a driver.
const BY_HAND: [&str; 2] = ["cuGetErrorString", "cuGetErrorName"];

fn main() {
    let Some(path) = std::env::args().nth(1) else { return eprintln!("the bindings' cuda.rs, please") };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => return eprintln!("{path}: {error}"),
    };
    let bindings = Bindings::new(&text);
    let mut called = BTreeSet::new();
    for folder in std::env::args().skip(2) {
        if let Err(error) = names(Path::new(&folder), &mut called) {
            return eprintln!("{folder}: {error}");
        }
    }
    println!(
        "//! The functions of the driver that `cust` and the runtime call, passed on. Made by `examples/table.rs`."
    );
    println!("use crate::forward::{{Place, forward}};\n\nforward! {{");
    for (name, arguments) in bindings.functions().into_iter().filter(|(name, _)| called.contains(*name)) {
        let kinds: Vec<&str> = arguments.iter().map(|ty| bindings.kind(ty)).collect();
        println!("    {name}({});", kinds.join(", "));
    }
    println!("}}");
}

/// Collects the words of all sources in a folder that begin as the driver's functions do.
fn names(folder: &Path, into: &mut BTreeSet<String>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            names(&path, into)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path)?;
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            into.extend(words.filter(|word| word.starts_with("cu")).map(String::from));
        }
    }
    Ok(())
}

/// The types and functions that the bindings declare.
struct Bindings<'t> {
    text: &'t str,
    aliases: BTreeMap<&'t str, &'t str>,
    enums: BTreeSet<&'t str>,
}

impl<'t> Bindings<'t> {
    fn new(text: &'t str) -> Self {
        let mut aliases = BTreeMap::new();
        let mut enums = BTreeSet::new();
        for line in text.lines().map(str::trim) {
            if let Some((name, ty)) = line.strip_prefix("pub type ").and_then(|rest| rest.split_once(" =")) {
                // If the type is on the next line, it is a function pointer.
                let ty = ty.trim().trim_end_matches(';');
                aliases.insert(name, if ty.is_empty() { "Option<" } else { ty });
            } else if let Some(rest) = line.strip_prefix("pub use self::") {
                let (old, new) = rest.trim_end_matches(';').split_once(" as ").expect("`as`");
                aliases.insert(new, old);
            } else if let Some(rest) = line.strip_prefix("pub enum ") {
                enums.insert(rest.trim_end_matches(" {"));
            }
        }
        Bindings { text, aliases, enums }
    }

    /// Returns the functions in order: names and types of arguments.
    fn functions(&self) -> Vec<(&'t str, Vec<&'t str>)> {
        let mut functions = Vec::new();
        for piece in self.text.split("pub fn cu").skip(1) {
            let (name, rest) = piece.split_once('(').expect("arguments");
            let (arguments, _) = rest.split_once(')').expect("an end");
            let start = piece.as_ptr().addr() - self.text.as_ptr().addr() - 2;
            let name = &self.text[start..start + 2 + name.len()];
            let types = arguments.split(',').filter_map(|a| a.split_once(": ")).map(|(_, ty)| ty.trim()).collect();
            functions.push((name, types));
        }
        functions.retain(|(name, _)| !BY_HAND.contains(name));
        functions
    }

    /// Returns the type as the calling convention sees it.
    fn kind(&self, ty: &'t str) -> &'static str {
        match ty.trim_start_matches("::std::os::raw::") {
            ty if ty.starts_with('*') || ty.contains("Option<") => "Place",
            "c_int" => "i32",
            "c_uint" => "u32",
            "c_ulonglong" => "u64",
            "c_uchar" => "u8",
            "c_ushort" => "u16",
            "usize" => "usize",
            "f32" => "f32",
            ty if self.enums.contains(ty) => "i32",
            ty => self.kind(self.aliases.get(ty).unwrap_or_else(|| panic!("what is {ty}?"))),
        }
    }
}
