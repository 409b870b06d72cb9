//! Writes `src/table.rs`: every function of the bindings, as what its arguments are to a calling convention.
//!
//! ```sh
//! cargo run -p systolic-driver --example table -- PATH/TO/cust_raw-0.11.3/src/cuda.rs > systolic-driver/src/table.rs
//! ```
use std::collections::{BTreeMap, BTreeSet};

/// Written by hand, as they must work without a driver.
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

/// What the bindings say of types and functions.
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
                // What stands on the next line is a function.
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

    /// Names and types of arguments, in order.
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

    /// The kind of value that a type is to the machine.
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
            // 64 bytes by value.
            "CUipcEventHandle" | "CUipcMemHandle" => "Handle",
            ty if self.enums.contains(ty) => "i32",
            ty => self.kind(self.aliases.get(ty).unwrap_or_else(|| panic!("what is {ty}?"))),
        }
    }
}
