//! Where an array lies in memory: as the runtime places it, or as badly as a caller may.

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
}

impl Layout {
    /// The layout of an array of this shape, with elements of this many bytes.
    pub fn new(way: Way, shape: &[u64], size: usize) -> Layout {
        let row = shape.last().map_or(0, |n| *n as usize * size);
        let boundary = (row / 4).clamp(16, 256).next_power_of_two();
        match (way, shape.len() > 1) {
            (Way::Even, true) => Layout { lead: 0, pitch: row.next_multiple_of(boundary) },
            (Way::Even, false) => Layout { lead: 0, pitch: row },
            (Way::Odd, true) => Layout { lead: size, pitch: row.next_multiple_of(boundary) + size },
            (Way::Odd, false) => Layout { lead: size, pitch: row },
        }
    }

    /// The strides of all axes except the last, in elements.
    pub fn strides(self, shape: &[u64], size: usize) -> Vec<u64> {
        let row = (self.pitch / size) as u64;
        (1..shape.len()).map(|k| row * shape[k..shape.len() - 1].iter().product::<u64>()).collect()
    }
}
