//! Generates a crate of kernels whose names are those of the prelude, of Rust's types, of crates and of emitted code,
//! next to items of the user with the same names. Every name occurs once in every position.

/// Names that have another meaning in Rust, in the language, or in emitted code.
const NAMES: [&str; 116] = [
    // The prelude, Rust's types, crates.
    "Ok",
    "Err",
    "Some",
    "None",
    "Result",
    "Option",
    "Vec",
    "String",
    "Box",
    "Into",
    "From",
    "Iterator",
    "Sized",
    "Send",
    "Default",
    "Clone",
    "Drop",
    "Fn",
    "i64",
    "usize",
    "bool",
    "f32",
    "u8",
    "i128",
    "str",
    "char",
    "core",
    "std",
    "alloc",
    "systolic",
    "ndarray",
    "main",
    "T",
    "N",
    "Q",
    // Words of Rust that are valid identifiers, and words of the language.
    "union",
    "auto",
    "default",
    "raw",
    "safe",
    "macro_rules",
    "kernel",
    "map",
    "size",
    "tile",
    "by",
    "lanes",
    "fold",
    "border",
    "zero",
    "constant",
    "min",
    "max",
    "fma",
    // Emitted items, functions and paths.
    "code0",
    "Code",
    "Code0",
    "Code1",
    "Instance",
    "Instance0",
    "Own0",
    "All0",
    "G0",
    "A0",
    "A1",
    "C0",
    "W3",
    "Listed",
    "marker",
    "__private",
    "primitive",
    "scope",
    "SIGNATURE",
    "PLAN",
    "BLUEPRINT",
    "LANES0",
    "run",
    "run_into",
    "reference",
    "launch",
    "describe",
    "choice",
    "plan",
    "signature",
    "systolic_unused",
    // Emitted variables.
    "call",
    "site",
    "simd",
    "gpu",
    "device",
    "stream",
    "hull",
    "code",
    "schedule",
    "equation",
    "step",
    "warp",
    "block",
    "w",
    "S",
    "o0",
    "p0",
    "s0",
    "i0",
    "v0",
    "g0",
    "e0",
    "c0",
    "t0",
    "b0",
    "n0",
    "low0",
    "high0",
    "r0_1",
    "a0",
    "room0",
];

/// Types of the language and of its parameters. No generic type may have these names.
const TYPES: [&str; 5] = ["i64", "bool", "f32", "u8", "size"];

/// The number of positions of a name in a kernel, in the order of `kernel`.
const POSITIONS: usize = 13;

/// The number of kinds of user items.
const KINDS: usize = 6;

/// The source of the crate.
pub fn source() -> String {
    let mut source = String::from("//! Names.\n#![allow(warnings)]\n\n");
    for shift in 0..NAMES.len() {
        // Steps of 9 from position to position, because neighbours in the list are of the same sort.
        let names: [&str; POSITIONS] = std::array::from_fn(|position| NAMES[(shift + 9 * position) % NAMES.len()]);
        let items: String = (1..POSITIONS).map(|position| item(names[position], position + shift)).collect();
        let kernel = kernel(&names);
        // A kernel's name is a type, so a value may have the same name.
        let value = format!("static {}: () = ();", names[0]);
        let text = format!("{items}    {value}\n    ::systolic::systolic! {{\n{kernel}    }}\n");
        source.push_str(&match shift % 3 {
            0 => format!("fn inside{shift}() {{\n{text}}}\n\n"),
            1 => format!("mod module{shift} {{\n{text}}}\n\n"),
            _ => format!("#[no_implicit_prelude]\nmod bare{shift} {{\n{text}}}\n\n"),
        });
    }
    source
}

/// An item of the user.
fn item(name: &str, kind: usize) -> String {
    // Also a macro of that name, except for `macro_rules`, which would shadow the one used for the next item.
    let rules = if name == "macro_rules" { String::new() } else { format!("macro_rules! {name} {{ () => {{}} }}") };
    let items = match kind % KINDS {
        0 => format!("const {name}: () = (); type {name} = (); {rules}"),
        1 => format!("static {name}: () = (); trait {name} {{}} {rules}"),
        2 => format!("fn {name}() {{}} mod {name} {{}} {rules}"),
        3 => format!("struct {name};"),
        4 => format!("struct {name}(());"),
        _ => format!("const {name}: () = (); enum {name} {{}}"),
    };
    format!("    {items}\n")
}

fn kernel(names: &[&str; POSITIONS]) -> String {
    let [kernel, number, ty, array, scalar, shape, size, output, constant, outer, variable, map, tile] = names;
    let ty = if TYPES.contains(ty) { &"Element" } else { ty };
    format!(
        "        kernel {kernel}<const {number}: usize in [2, 3], type {ty} in [f32]>(
            {array}: [{ty}; {shape}, zz_m] border zero, {scalar}: {ty}, {size}: size, zz_w: const [{ty}; 2 * {number}],
        ) -> ({output}: [{ty}; {shape}], zz_z: [{ty}; {size}]) {{
            const {constant}: {ty} = 1.5;
            for {outer} in 0..{shape}, zz_j in 0..zz_m, zz_k in 0..{size} {{
                {variable}[{outer}, zz_j, zz_k] = {array}[{outer}, zz_j] * {scalar} + {constant} + zz_w[{number}]
                    + if zz_j == 0 {{ 0 as {ty} }} else {{ {variable}[{outer}, zz_j - 1, zz_k] }};
                if zz_j == zz_m - 1 && zz_k == 0 {{ {output}[{outer}] = {variable}[{outer}, zz_j, zz_k]; }}
                if zz_j == 0 && {outer} == 0 {{ zz_z[zz_k] = 0 as {ty}; }}
            }}
            map {map} {{ tile {outer} by 4 as ({tile}, zz_i); lanes zz_i; }}
        }}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_of_a_kernel_differ() {
        assert_eq!(NAMES.iter().collect::<BTreeSet<_>>().len(), NAMES.len());
        for shift in 0..NAMES.len() {
            let names: BTreeSet<&str> = (0..POSITIONS).map(|p| NAMES[(shift + 9 * p) % NAMES.len()]).collect();
            assert_eq!(names.len(), POSITIONS);
        }
    }

    #[test]
    fn every_kernel_is_in_the_source() {
        assert_eq!(source().matches("::systolic::systolic!").count(), NAMES.len());
    }
}
