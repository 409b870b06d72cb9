//! The text of a refused kernel as its file has it, with what is refused.
use crate::sources::{Found, span};
use proc_macro2::LineColumn;
use systolic_compiler::explain::WrittenLine;
use systolic_compiler::fault::Fault;
use systolic_compiler::region::Region;

/// The lines of a kernel, without the indentation of the first. What a fault is about is lit.
pub fn written(found: &Found, fault: &Fault) -> Vec<WrittenLine> {
    let text = std::fs::read_to_string(&found.file).unwrap_or_default();
    let mut tokens = found.tokens.clone().into_iter().map(|token| token.span());
    let Some(start) = tokens.next() else { return Vec::new() };
    let end = tokens.last().unwrap_or(start);
    let (first, last) = span(Region { start, end }, found.before);
    let lit = span(fault.at, found.before);
    let lines = text.lines().enumerate().skip(first.line - 1).take(last.line + 1 - first.line);
    lines.map(|(number, line)| one(line, number + 1, first.column, lit)).collect()
}

/// A line of this number, without so much of its indentation.
fn one(line: &str, number: usize, indent: usize, (start, end): (LineColumn, LineColumn)) -> WrittenLine {
    let blank = line.chars().take_while(|c| c.is_whitespace()).count();
    let left = blank.min(indent);
    let from = if number == start.line { start.column } else { blank };
    let to = if number == end.line { end.column } else { line.chars().count() };
    let lit = (start.line..=end.line).contains(&number) && from < to;
    WrittenLine { text: line.chars().skip(left).collect(), lit: lit.then(|| (from.saturating_sub(left), to - left)) }
}

#[cfg(test)]
mod tests {
    use super::one;
    use proc_macro2::LineColumn;

    #[test]
    fn what_is_lit_moves_with_the_indentation() {
        let at = |line, column| LineColumn { line, column };
        let lit = |line: &str, number| one(line, number, 4, (at(2, 8), at(3, 10))).lit;
        assert_eq!(lit("    a b c", 1), None);
        assert_eq!(lit("    map (a,", 2), Some((4, 7)));
        assert_eq!(lit("        b)", 3), Some((4, 6)));
        assert_eq!(one("  x", 1, 4, (at(1, 2), at(1, 3))).text, "x");
    }
}
