//! Draws a diagnostic as rustc does: the message, the place, and the lines of the source with a mark below them.
use super::diagnostic::Diagnostic;
use crate::terminal::{Ink, Paint};
use std::fmt::Write;

/// Lines of a long region that are shown at its beginning; of the others, the last two.
const FIRST_LINES: usize = 4;

/// The columns of a line that are shown.
const LONGEST_LINE: usize = 140;

/// The whole drawing, without an empty line at its end.
pub fn drawn(diagnostic: &Diagnostic, source: &str, paint: Paint) -> String {
    let (start, end) = diagnostic.at;
    // rustc shows a tab as four columns.
    let lines: Vec<String> = source.lines().map(|line| line.replace('\t', "    ")).collect();
    let line = |number: usize| lines.get(number.wrapping_sub(1)).map_or("", String::as_str);
    let column = |number: usize, column: usize| {
        let before = source.lines().nth(number.wrapping_sub(1)).unwrap_or_default().chars().take(column);
        before.map(|c| if c == '\t' { 4 } else { 1 }).sum::<usize>()
    };
    let width = end.line.to_string().len();
    let frame = |text: &str| paint.text(Ink::Frame, text);
    let bar = frame(&format!("{:width$} |", ""));
    let numbered = |number: usize| frame(&format!("{number:>width$} |"));
    let ink = if diagnostic.law.is_some() { Ink::Bad } else { Ink::Warning };
    let mark = |text: &str| paint.text(ink, text);

    let message = diagnostic.text.replace('\n', "\n       ");
    let mut out = format!("{}{}\n", mark(diagnostic.level()), paint.text(Ink::Strong, &format!(": {message}")));
    let arrow = frame(&format!("{:width$}-->", ""));
    let _ = writeln!(out, "{arrow} {}:{}:{}\n{bar}", diagnostic.file, start.line, start.column + 1);
    let (from, to) = (column(start.line, start.column), column(end.line, end.column));
    if start.line == end.line {
        let (shown, from, to) = window(line(start.line), from, to);
        let carets = "^".repeat(to.saturating_sub(from).max(1));
        let _ = writeln!(out, "{} {shown}", numbered(start.line));
        let _ = writeln!(out, "{bar} {}{}", " ".repeat(from), mark(&carets));
        return out;
    }
    let opens = line(start.line).chars().take(from).all(char::is_whitespace);
    let corner = if opens { mark("/") } else { " ".to_string() };
    let _ = writeln!(out, "{} {corner} {}", numbered(start.line), line(start.line));
    if !opens {
        let _ = writeln!(out, "{bar}  {}", mark(&format!("{}^", "_".repeat(from + 1))));
    }
    let is_long = end.line - start.line > FIRST_LINES + 2;
    for number in start.line + 1..=end.line {
        if is_long && number == start.line + FIRST_LINES {
            let _ = writeln!(out, "{}{}{}", frame("..."), " ".repeat(width), mark("|"));
        }
        if !is_long || number < start.line + FIRST_LINES || number + 1 >= end.line {
            let _ = writeln!(out, "{} {}", numbered(number), format!("{} {}", mark("|"), line(number)).trim_end());
        }
    }
    let _ = writeln!(out, "{bar} {}", mark(&format!("|{}^", "_".repeat(to))));
    out
}

/// The part of a long line around its mark, and where the mark begins and ends there.
fn window(line: &str, from: usize, to: usize) -> (String, usize, usize) {
    if line.chars().count() <= LONGEST_LINE {
        return (line.to_string(), from, to);
    }
    let first = from.saturating_sub(LONGEST_LINE / 2);
    let dots = if first > 0 { "..." } else { "" };
    let shown: String = line.chars().skip(first).take(LONGEST_LINE).collect();
    let moved = |column: usize| (column.saturating_sub(first) + dots.len()).min(LONGEST_LINE + dots.len());
    (format!("{dots}{shown}..."), moved(from), moved(to))
}

#[cfg(test)]
mod tests {
    use super::super::diagnostic::Diagnostic;
    use super::drawn;
    use crate::terminal::Paint;
    use proc_macro2::LineColumn;

    #[test]
    fn regions_of_several_lines() {
        let at = |line, column| LineColumn { line, column };
        let text = |start, end, source: &str| {
            let (file, text, law) = ("a.rs".to_string(), "no".to_string(), Some("syntax"));
            drawn(
                &Diagnostic { file, at: (start, end), law, text, help: None, edits: Vec::new() },
                source,
                Paint::none(),
            )
        };
        let tuple = "fn main() {\n    let x: u8 = (\n        1,\n        2,\n    );\n";
        let head = "error: no\n --> a.rs:2:17\n  |\n2 |       let x: u8 = (\n  |  _________________^\n";
        let rest = "3 | |         1,\n4 | |         2,\n5 | |     );\n  | |_____^\n";
        assert_eq!(text(at(2, 16), at(5, 5), tuple), format!("{head}{rest}"));
        let long: String = (1..=9).map(|n| format!("    {n}\n")).collect();
        let shown = "error: no\n --> a.rs:1:5\n  |\n1 | /     1\n2 | |     2\n3 | |     3\n4 | |     4\n... |\n\
                     7 | |     7\n8 | |     8\n  | |_____^\n";
        assert_eq!(text(at(1, 4), at(8, 5), &long), shown);
    }
}
