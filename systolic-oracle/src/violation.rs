//! One violation of a law at one point.
use std::fmt;
use systolic_compiler::fault::Law;
use systolic_compiler::model::Int;

/// The position in the kernel: an index into `reads`, `accesses`, `stores`, `outputs` or the rows of the places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    Read(usize),
    Access(usize),
    Store(usize),
    Output(usize),
    Row(usize),
    Map,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub law: Law,
    pub site: Site,
    /// Empty if no point is involved, as for an element that is never stored.
    pub point: Vec<Int>,
    /// The point that is read from, that shares the place, or that stores the same element.
    pub other: Option<Vec<Int>>,
    pub element: Option<Vec<Int>>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:?}: point {:?}", self.law, self.site, self.point)?;
        if let Some(other) = &self.other {
            write!(f, ", other {other:?}")?;
        }
        if let Some(element) = &self.element {
            write!(f, ", element {element:?}")?;
        }
        Ok(())
    }
}
