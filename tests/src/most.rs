//! The maximum size of a case, for slow runs: `SYSTOLIC_MOST` is the maximum number of elements of an output.
use crate::Same;
use std::io::Write;
use std::sync::OnceLock;

/// Whether a case exceeds the maximum. Prints this directly to stderr, because the test harness captures `eprintln!`.
///
/// # Panics
///
/// Panics if `SYSTOLIC_MOST` is not a number.
pub fn is_left_out<T: Same>(call: &str, expected: &T) -> bool {
    static MOST: OnceLock<usize> = OnceLock::new();
    let read = || match std::env::var("SYSTOLIC_MOST") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("SYSTOLIC_MOST is `{text}`, no number")),
        Err(_) => usize::MAX,
    };
    let (most, elements) = (*MOST.get_or_init(read), expected.elements());
    if elements > most {
        let _ = writeln!(std::io::stderr(), "left out: {call} of {elements} elements, more than {most}");
    }
    elements > most
}
