//! Small pieces of text that errors share.
use std::fmt::Display;

/// `[3, 4]`
pub fn list(items: &[impl Display]) -> String {
    format!("[{}]", items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

/// `C = 16 (from x) and R = 3 (from x)`
pub fn names(items: &[impl Display]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    match items.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
