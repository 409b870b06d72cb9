//! A fault or a warning with its places in a file, and as JSON.
use crate::sources::span;
use proc_macro2::LineColumn;
use serde_json::{Value, json};
use systolic_compiler::emit::Notice;
use systolic_compiler::fault::{Fault, message};
use systolic_compiler::region::Region;

/// What a law refuses, or what rustc would warn of, and where.
pub struct Diagnostic {
    pub file: String,
    /// The first place and the one after the last, by line from 1 and column from 0.
    pub at: (LineColumn, LineColumn),
    /// The law that is broken; none for a warning.
    pub law: Option<&'static str>,
    /// The whole message, as the macro gives it to rustc.
    pub text: String,
    pub help: Option<String>,
    pub edits: Vec<((LineColumn, LineColumn), String)>,
}

impl Diagnostic {
    /// The fault of a file of this name. Places do not count the `before` first lines.
    pub fn new(fault: &Fault, file: &str, before: usize) -> Diagnostic {
        let place = |at: Region| span(at, before);
        let edits = fault.help.iter().flat_map(|help| &help.edits);
        Diagnostic {
            file: file.to_string(),
            at: place(fault.at),
            law: Some(fault.law().name()),
            text: message(fault),
            help: fault.help.as_ref().map(|help| help.text.clone()),
            edits: edits.map(|edit| (place(edit.at), edit.code.clone())).collect(),
        }
    }

    /// The warning of a file of this name.
    pub fn warning(notice: &Notice, file: &str, before: usize) -> Diagnostic {
        let (file, at, text) = (file.to_string(), span(notice.at, before), notice.text.clone());
        Diagnostic { file, at, law: None, text, help: None, edits: Vec::new() }
    }

    /// `error`, or `warning`.
    pub fn level(&self) -> &'static str {
        if self.law.is_some() { "error" } else { "warning" }
    }

    /// All of it, with the drawing.
    pub fn json(&self, drawn: &str) -> Value {
        let (message, notes) = self.parts();
        let edit = |((start, end), code): &((LineColumn, LineColumn), String)| {
            json!({
                "line": start.line, "column": start.column + 1, "end_line": end.line, "end_column": end.column + 1,
                "code": code,
            })
        };
        let (start, end) = self.at;
        json!({
            "file": self.file, "line": start.line, "column": start.column + 1,
            "end_line": end.line, "end_column": end.column + 1,
            "level": self.level(), "law": self.law, "message": message, "notes": notes, "help": self.help,
            "edits": self.edits.iter().map(edit).collect::<Vec<_>>(), "rendered": drawn,
        })
    }

    /// The sentence without the name of its law, and the lines below it without the help.
    fn parts(&self) -> (&str, Vec<&str>) {
        let help = self.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {help}"));
        let text = self.text.strip_suffix(&help).unwrap_or(&self.text);
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let without_law = self.law.and_then(|law| first.strip_prefix(law)?.strip_prefix(": "));
        (without_law.unwrap_or(first), rest.lines().collect())
    }
}
