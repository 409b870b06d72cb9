//! The code of a block as text for people: what the macro emits for a CPU, one statement per line. Nothing compiles this text.
use super::run::Inside;
use crate::model::Kernel;
use crate::schedule::{CpuPlan, Schedule};
use crate::target::shown;
use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::quote;

/// Paths that stand before most names, and say nothing to a reader.
const PATHS: [&str; 2] = ["systolic::__private::primitive::", "systolic::__private::"];

/// Operators of several characters.
const OPERATORS: [&str; 18] =
    ["..=", "::", "->", "=>", "..", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "|=", "&=", "<<"];

/// Words after which a bracket or a parenthesis stands apart.
const KEYWORDS: [&str; 9] = ["if", "in", "for", "match", "return", "let", "else", "as", "mut"];

/// The emitted code of a block. The axes of the schedule are merged already.
pub fn listing(kernel: &Kernel, schedule: &Schedule) -> String {
    let plan = CpuPlan::new(schedule);
    let Inside { code, constants, .. } = Inside::new(&quote!(systolic), kernel, schedule, &plan);
    let mut text = Text::default();
    for part in [constants, code] {
        text.statements(&pieces(part));
    }
    text.lines.join("\n")
}

/// A token, or a group of them.
enum Piece {
    Word(String),
    Operator(String),
    /// `<` or `>` around generic arguments.
    Angle(char),
    Group(Delimiter, Vec<Piece>),
}

/// Joins operators, and opens groups without delimiters.
fn pieces(tokens: TokenStream) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut angles = 0usize;
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let piece = match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
                pieces.extend(self::pieces(group.stream()));
                continue;
            }
            TokenTree::Group(group) => Piece::Group(group.delimiter(), self::pieces(group.stream())),
            TokenTree::Ident(word) => Piece::Word(word.to_string()),
            TokenTree::Literal(literal) => Piece::Word(literal.to_string()),
            TokenTree::Punct(first) => {
                let mut text = first.as_char().to_string();
                let mut is_joint = first.spacing() == Spacing::Joint;
                while is_joint
                    && let Some(TokenTree::Punct(next)) = tokens.peek()
                    && OPERATORS.iter().any(|operator| operator.starts_with(&format!("{text}{}", next.as_char())))
                {
                    text.push(next.as_char());
                    is_joint = next.spacing() == Spacing::Joint;
                    tokens.next();
                }
                match text.as_str() {
                    "<" if opens_arguments(pieces.last()) => {
                        angles += 1;
                        Piece::Angle('<')
                    }
                    ">" if angles > 0 => {
                        angles -= 1;
                        Piece::Angle('>')
                    }
                    _ => Piece::Operator(text),
                }
            }
        };
        pieces.push(piece);
    }
    pieces
}

/// Whether `<` after this token opens generic arguments, and compares nothing.
fn opens_arguments(before: Option<&Piece>) -> bool {
    match before {
        Some(Piece::Word(word)) => word.starts_with(|c: char| c.is_uppercase()),
        Some(Piece::Group(..) | Piece::Angle('>')) => false,
        _ => true,
    }
}

/// Whether an operand may end with this token, so that an operator after it has two operands.
fn ends_operand(piece: &Piece) -> bool {
    match piece {
        Piece::Word(word) => !KEYWORDS.contains(&word.as_str()),
        Piece::Group(..) | Piece::Angle('>') => true,
        Piece::Operator(operator) => operator == "?",
        Piece::Angle(_) => false,
    }
}

/// Code on one line.
fn flat(pieces: &[Piece]) -> String {
    flat_after(None, pieces)
}

/// The same after a token that is written already.
fn flat_after(first: Option<&Piece>, pieces: &[Piece]) -> String {
    let mut text = String::new();
    let mut in_closure = false;
    for (k, piece) in pieces.iter().enumerate() {
        let before = k.checked_sub(1).map(|k| &pieces[k]);
        let is_unary = !before.or(first).is_some_and(ends_operand);
        let glued = before.is_none() || is_glued(pieces, k) || text.ends_with(TIGHT);
        if !glued {
            text.push(' ');
        }
        match piece {
            Piece::Word(word) => text.push_str(word),
            Piece::Angle(angle) => text.push(*angle),
            Piece::Operator(operator) => {
                text.push_str(operator);
                let is_bar = operator == "|";
                let opens = is_bar && is_unary && !in_closure;
                let is_prefix = matches!(operator.as_str(), "-" | "!" | "&" | "*") && is_unary;
                if opens || is_prefix || matches!(operator.as_str(), "::" | "." | "'" | "#") {
                    text.push(TIGHT);
                }
                in_closure = opens || (in_closure && !is_bar);
            }
            Piece::Group(Delimiter::Brace, inner) if inner.is_empty() => text.push_str("{}"),
            Piece::Group(Delimiter::Brace, inner) => text.push_str(&format!("{{ {} }}", flat(inner))),
            Piece::Group(Delimiter::Bracket, inner) => text.push_str(&format!("[{}]", flat(inner))),
            Piece::Group(_, inner) => text.push_str(&format!("({})", flat(inner))),
        }
    }
    PATHS.iter().fold(text.replace(TIGHT, ""), |text, path| text.replace(path, ""))
}

/// Marks that no space follows.
const TIGHT: char = '\u{1}';

/// Whether no space stands before a token.
fn is_glued(pieces: &[Piece], k: usize) -> bool {
    let (before, piece) = (&pieces[k - 1], &pieces[k]);
    let is_word = |piece: &Piece| matches!(piece, Piece::Word(word) if !KEYWORDS.contains(&word.as_str()));
    let closes_bar = |piece: &Piece| {
        let bars = pieces[..k].iter().filter(|piece| matches!(piece, Piece::Operator(text) if text == "|")).count();
        matches!(piece, Piece::Operator(text) if text == "|") && bars % 2 == 1
    };
    match piece {
        Piece::Operator(text) if matches!(text.as_str(), "," | ";" | "." | "?" | ":") => true,
        Piece::Operator(text) if text == "::" => is_word(before) || matches!(before, Piece::Angle('>')),
        Piece::Operator(text) if text == ".." || text == "..=" => true,
        Piece::Operator(text) if text == "!" => is_word(before),
        Piece::Angle('>') => true,
        Piece::Angle(_) => is_word(before) || matches!(before, Piece::Angle('<')),
        Piece::Group(Delimiter::Brace, _) => false,
        Piece::Group(..) => {
            is_word(before)
                || matches!(before, Piece::Angle('>' | '<'))
                || matches!(before, Piece::Group(delimiter, _) if *delimiter != Delimiter::Brace)
                || matches!(before, Piece::Operator(text) if text == ".." || text == "..=")
        }
        _ => {
            matches!(before, Piece::Angle('<'))
                || matches!(before, Piece::Operator(text) if text == ".." || text == "..=")
                || closes_bar(piece)
        }
    }
}

/// Lines, and the line that is being written.
#[derive(Default)]
struct Text {
    lines: Vec<String>,
    line: String,
    depth: usize,
}

impl Text {
    fn finish(&mut self) {
        let line = std::mem::take(&mut self.line);
        if !line.trim().is_empty() {
            self.lines.push(format!("{}{}", "    ".repeat(self.depth), line.trim()));
        }
    }

    /// Statements, each on lines of its own.
    fn statements(&mut self, pieces: &[Piece]) {
        let mut start = 0;
        for (k, piece) in pieces.iter().enumerate() {
            let ends = match piece {
                Piece::Operator(text) => text == ";",
                Piece::Group(Delimiter::Brace, _) => {
                    let is_followed = match pieces.get(k + 1) {
                        Some(Piece::Word(word)) => word == "else",
                        Some(Piece::Operator(text)) => matches!(text.as_str(), "." | "?" | ";"),
                        _ => false,
                    };
                    !is_followed && is_block(&pieces[start..k])
                }
                _ => false,
            };
            if ends {
                self.statement(&pieces[start..=k]);
                start = k + 1;
            }
        }
        self.statement(&pieces[start..]);
    }

    fn statement(&mut self, pieces: &[Piece]) {
        self.code(pieces);
        self.finish();
    }

    /// Code on the current line if it fits; otherwise its groups are opened.
    fn code(&mut self, pieces: &[Piece]) {
        let whole = flat(pieces);
        if !has_statements(pieces) && self.line.len() + whole.len() + 4 * self.depth <= shown::CODE_LINE {
            self.line.push_str(&whole);
            return;
        }
        let mut start = 0;
        for (k, piece) in pieces.iter().enumerate() {
            let Piece::Group(delimiter, inner) = piece else { continue };
            let is_long = flat(inner).len() > shown::CODE_LINE / 2;
            let opens = has_statements(std::slice::from_ref(piece)) || is_long && *delimiter != Delimiter::Bracket;
            if !opens || inner.is_empty() {
                continue;
            }
            self.put(pieces, start, k);
            let (open, close) = match delimiter {
                Delimiter::Brace => (if self.line.is_empty() { "{" } else { " {" }, "}"),
                Delimiter::Bracket => ("[", "]"),
                _ => (if k > 0 && !is_glued(pieces, k) && !self.line.is_empty() { " (" } else { "(" }, ")"),
            };
            self.line.push_str(open);
            self.finish();
            self.depth += 1;
            match delimiter {
                Delimiter::Brace if !is_list(inner) => self.statements(inner),
                _ => self.elements(inner),
            }
            self.depth -= 1;
            self.line.push_str(close);
            start = k + 1;
        }
        self.put(pieces, start, pieces.len());
    }

    /// The tokens from one to another, on the current line.
    fn put(&mut self, pieces: &[Piece], start: usize, end: usize) {
        if start < end {
            if start > 0 && !self.line.is_empty() && !is_glued(pieces, start) {
                self.line.push(' ');
            }
            let before = start.checked_sub(1).map(|k| &pieces[k]);
            self.line.push_str(&flat_after(before, &pieces[start..end]));
        }
    }

    fn element(&mut self, pieces: &[Piece]) {
        let is_short =
            !has_statements(pieces) && self.line.len() + flat(pieces).len() + 4 * self.depth < shown::CODE_LINE;
        if !self.line.is_empty() && is_short {
            self.line.push(' ');
        } else {
            self.finish();
        }
        self.code(pieces);
    }

    /// What commas separate: short parts beside each other, others on lines of their own.
    fn elements(&mut self, pieces: &[Piece]) {
        let (mut start, mut angles) = (0, 0);
        for (k, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Angle('<') => angles += 1,
                Piece::Angle(_) => angles -= 1,
                Piece::Operator(text) if text == "," && angles == 0 => {
                    self.element(&pieces[start..=k]);
                    start = k + 1;
                }
                _ => {}
            }
        }
        self.element(&pieces[start..]);
        self.finish();
    }
}

/// Whether braces after this begin of a statement end it.
fn is_block(begin: &[Piece]) -> bool {
    match begin.first() {
        None => true,
        Some(Piece::Word(word)) => matches!(word.as_str(), "for" | "if" | "while" | "loop" | "match"),
        _ => false,
    }
}

/// Whether braces hold what commas separate, such as the fields of a struct.
fn is_list(pieces: &[Piece]) -> bool {
    let has = |wanted: &str| pieces.iter().any(|piece| matches!(piece, Piece::Operator(text) if text == wanted));
    has(",") && !has(";")
}

/// Whether there are braces with several statements, or with blocks.
fn has_statements(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Group(Delimiter::Brace, inner) => {
            has_statements(inner) || inner.iter().any(|piece| matches!(piece, Piece::Operator(text) if text == ";"))
        }
        Piece::Group(_, inner) => has_statements(inner),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{PATHS, Text, pieces};

    fn text(code: &str) -> String {
        let mut text = Text::default();
        text.statements(&pieces(code.parse().expect("tokens")));
        text.lines.join("\n")
    }

    #[test]
    fn lines_are_as_people_write_them() {
        for code in [
            "let v12: S::V<f32> = simd.add(v3, -v4);",
            "let mut r0 = simd.zero::<f32>();",
            "let t: [S::V<f32>; 2] = std::array::from_fn(|w| v3[w]);",
            "for t0 in t0_first..t0_last + 1 {\n    let a = (b * 2 - c).max(0);\n    self.o0.store(simd, [t0, 1], &mask, v2)?;\n}",
            "if a < b && !c {\n    d += 1;\n} else {\n    e = f[g] | h;\n}",
            "let x = if a <= b { c } else { *d };",
            "let x = {\n    let y = 1;\n    y\n} - z;",
            "let x = Pair { a: 1, b: <V<f32> as T<f32>>::of::<S, 1>(c) };",
        ] {
            assert_eq!(text(code), code);
        }
        for path in PATHS {
            assert_eq!(text(&format!("let x = {path}opaque(y);")), "let x = opaque(y);");
        }
        // Long code is broken at its groups, and keeps all its words.
        let long = format!("let x = first({}, {});", "a + ".repeat(20) + "b", "c * ".repeat(20) + "d");
        let broken = text(&long);
        assert!(broken.lines().count() == 4 && broken.lines().all(|line| line.len() < 110), "{broken}");
        let words = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(words(&broken), words(&long));
    }
}
