//! How large a case may be, for runs that are slow: `SYSTOLIC_MOST` is the most elements that an output may have.
use crate::Same;
use std::io::Write;
use std::sync::OnceLock;

/// Whether a case is larger than what is wanted; said past the test harness, which would keep it to itself.
///
/// # Panics
///
/// If `SYSTOLIC_MOST` is no number.
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
