//! Formatting helpers for error messages.
use std::fmt::Display;

/// Formats a list as `[3, 4]`.
pub fn list(items: &[impl Display]) -> String {
    format!("[{}]", items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

/// Joins items by commas and "and": `C = 16 (from x) and R = 3 (from x)`.
pub fn names(items: &[impl Display]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    match items.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
