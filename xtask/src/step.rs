//! A named step and its outcome.

/// The result of a step.
pub enum Outcome {
    Passed,
    /// The reason why there was nothing to do.
    Skipped(String),
    /// The reason of the failure.
    Failed(String),
}

pub struct Step {
    pub name: String,
    pub run: Box<dyn Fn() -> Outcome + Send>,
}

impl Step {
    pub fn new(name: impl Into<String>, run: impl Fn() -> Outcome + Send + 'static) -> Step {
        Step { name: name.into(), run: Box::new(run) }
    }
}
