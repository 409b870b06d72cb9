//! Words: which are Rust's and cannot be names.

/// Strict and reserved words of Rust up to edition 2024, in order: names of the language become names of Rust.
const RESERVED: [&str; 53] = [
    "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super",
    "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

pub(super) fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

/// Words that start a construct of Rust which has no meaning here.
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
