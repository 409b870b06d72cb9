//! The words of Rust that cannot be names, and the names of the functions.

/// The functions of the language with the least and the greatest number of arguments (`None`: unbounded).
pub const FUNCTIONS: [(&str, usize, Option<usize>); 22] = [
    ("min", 2, None),
    ("max", 2, None),
    ("abs", 1, Some(1)),
    ("sqrt", 1, Some(1)),
    ("exp", 1, Some(1)),
    ("ln", 1, Some(1)),
    ("exp2", 1, Some(1)),
    ("log2", 1, Some(1)),
    ("pow", 2, Some(2)),
    ("sin", 1, Some(1)),
    ("cos", 1, Some(1)),
    ("tan", 1, Some(1)),
    ("atan", 1, Some(1)),
    ("sinh", 1, Some(1)),
    ("cosh", 1, Some(1)),
    ("tanh", 1, Some(1)),
    ("floor", 1, Some(1)),
    ("ceil", 1, Some(1)),
    ("round", 1, Some(1)),
    ("round_even", 1, Some(1)),
    ("trunc", 1, Some(1)),
    ("fma", 3, Some(3)),
];

/// Strict and reserved keywords of Rust up to edition 2024, sorted. They are excluded because names of a kernel become
/// names in the generated Rust.
const RESERVED: [&str; 53] = [
    "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super",
    "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Whether a word cannot be a name.
pub(crate) fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

/// Whether a word starts a construct of Rust that the language does not have.
pub(super) fn is_construct(word: &str) -> bool {
    matches!(
        word,
        "async"
            | "await"
            | "break"
            | "continue"
            | "do"
            | "dyn"
            | "enum"
            | "extern"
            | "fn"
            | "for"
            | "impl"
            | "let"
            | "loop"
            | "match"
            | "mod"
            | "move"
            | "mut"
            | "ref"
            | "return"
            | "static"
            | "struct"
            | "trait"
            | "try"
            | "unsafe"
            | "use"
            | "while"
            | "yield"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_in_order() {
        assert!(RESERVED.is_sorted());
        assert!(is_reserved("_") && is_reserved("yield") && is_reserved("Self") && !is_reserved("size"));
    }
}
