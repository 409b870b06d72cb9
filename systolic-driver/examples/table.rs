//! Generates `src/table.rs`: every function of the bindings, with its argument types reduced to those that the calling
//! convention distinguishes.
//!
//! ```sh
//! cargo run -p systolic-driver --example table -- PATH/TO/cust_raw-0.11.3/src/cuda.rs > systolic-driver/src/table.rs
//! ```
use std::collections::{BTreeMap, BTreeSet};

/// Functions that are written by hand, because they must work without a driver.
const BY_HAND: [&str; 2] = ["cuGetErrorString", "cuGetErrorName"];

fn main() {
    let Some(path) = std::env::args().nth(1) else { return eprintln!("the bindings' cuda.rs, please") };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => return eprintln!("{path}: {error}"),
    };
    let bindings = Bindings::new(&text);
    println!(
        "//! Every function of the driver that the bindings of `cust` name, passed on. Made by `examples/table.rs`."
    );
    println!("use crate::forward::{{Handle, Place, forward}};\n\nforward! {{");
    for (name, arguments) in bindings.functions() {
        let kinds: Vec<&str> = arguments.iter().map(|ty| bindings.kind(ty)).collect();
        println!("    {name}({});", kinds.join(", "));
    }
    println!("}}");
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
            // A struct of 64 bytes, passed by value.
            "CUipcEventHandle" | "CUipcMemHandle" => "Handle",
            ty if self.enums.contains(ty) => "i32",
            ty => self.kind(self.aliases.get(ty).unwrap_or_else(|| panic!("what is {ty}?"))),
        }
    }
}
