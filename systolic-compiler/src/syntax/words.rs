//! The words of Rust that cannot be names.

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
