//! Checks of error messages.

/// Panics unless an outcome is an error whose message contains all these words: names and numbers, each as a whole
/// word.
#[track_caller]
pub fn assert_says<T>(outcome: Result<T, systolic::Error>, words: &[&str]) {
    let message = match outcome {
        Ok(_) => panic!("no error, wanted one that says {words:?}"),
        Err(error) => error.to_string(),
    };
    let found: Vec<&str> =
        message.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    for word in words {
        assert!(found.contains(word), "`{message}` does not say `{word}`");
    }
}
