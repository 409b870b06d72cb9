//! Where an array lies in memory: as the runtime places it, or as badly as a caller may.
use systolic_compiler::model::{Kernel, ParameterKind};
use systolic_compiler::schedule::Schedule;

/// The placement of a launch's arrays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Rows are aligned for wide accesses.
    Even,
    /// The first element and the rows are misaligned.
    Odd,
}

/// A layout, in bytes.
#[derive(Clone, Copy)]
pub struct Layout {
    /// The distance from a multiple of 256 to the first element.
    pub lead: usize,
    /// The distance between rows.
    pub pitch: usize,
    /// How many of the last axes are one with the axis before them: they lie in a row without gaps.
    merged: usize,
}

impl Layout {
    /// The layout of an array of this shape, with elements of this many bytes and with merged axes.
    pub fn new(way: Way, shape: &[u64], size: usize, merged: usize) -> Layout {
        let rows = rows(shape, merged);
        let row = rows.last().map_or(0, |n| *n as usize * size);
        let boundary = (row / 4).clamp(16, 256).next_power_of_two();
        let (lead, pitch) = match (way, rows.len() > 1) {
            (Way::Even, true) => (0, row.next_multiple_of(boundary)),
            (Way::Even, false) => (0, row),
            (Way::Odd, true) => (size, row.next_multiple_of(boundary) + size),
            (Way::Odd, false) => (size, row),
        };
        Layout { lead, pitch, merged }
    }

    /// The strides of all axes except the last, in elements.
    pub fn strides(self, shape: &[u64], size: usize) -> Vec<u64> {
        let (row, outer) = ((self.pitch / size) as u64, shape.len().saturating_sub(1 + self.merged));
        let stride = |k: usize| match k <= outer {
            true => row * shape[k..outer].iter().product::<u64>(),
            false => shape[k..].iter().product(),
        };
        (1..shape.len()).map(stride).collect()
    }
}

/// A shape whose last axes are merged into the one before them.
pub fn rows(shape: &[u64], merged: usize) -> Vec<u64> {
    let (outer, row) = shape.split_at(shape.len().saturating_sub(1 + merged));
    let row = (!row.is_empty()).then(|| row.iter().product());
    outer.iter().copied().chain(row).collect()
}

/// How many axes of each array are merged: of the inputs that are arrays, then of the outputs.
pub fn merged(kernel: &Kernel, program: &Schedule) -> Vec<usize> {
    let is_array = |k: &usize| matches!(kernel.parameters[*k].kind, ParameterKind::Array { .. });
    let inputs = (0..kernel.parameters.len()).filter(is_array).map(|k| program.parameters[k].merged.len());
    inputs.chain(program.merged_outputs.iter().map(Vec::len)).collect()
}
