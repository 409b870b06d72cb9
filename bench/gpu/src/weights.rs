//! The weights of all filters: numbers with two decimals, which no float represents exactly, so that sums are rounded.
use crate::code::Arguments;
use std::ops::Div;

/// A type of weights.
pub trait Weight: Copy + From<i16> + Into<f64> + Div<Output = Self> + 'static {
    /// Passes many weights as one argument of a kernel.
    fn pass(weights: &[Self], arguments: Arguments) -> Arguments;
}

impl Weight for f32 {
    fn pass(weights: &[f32], arguments: Arguments) -> Arguments {
        arguments.floats(weights)
    }
}

impl Weight for f64 {
    fn pass(weights: &[f64], arguments: Arguments) -> Arguments {
        arguments.doubles(weights)
    }
}

/// The weight at a position of a filter, between −1 and 1 and never 0. The kernels of `known.rs` contain the same
/// numbers.
fn weight<W: Weight>(p: usize, q: usize) -> W {
    let hundredths = 2 * ((p * 37 + q * 101 + p * q * 7) % 100) as i16 - 99;
    W::from(hundredths) / W::from(100)
}

/// The weights of a line.
pub fn line<W: Weight, const Q: usize>() -> [W; Q] {
    std::array::from_fn(|q| weight(1, q))
}

/// The weights of a square.
pub fn square<W: Weight, const P: usize>() -> [[W; P]; P] {
    std::array::from_fn(|p| std::array::from_fn(|q| weight(p, q)))
}

/// The weights of a cube.
pub fn cube<W: Weight, const P: usize>() -> [[[W; P]; P]; P] {
    std::array::from_fn(|o| std::array::from_fn(|p| std::array::from_fn(|q| weight(o * P + p, q))))
}

#[cfg(test)]
mod tests {
    #[test]
    fn weights_are_those_of_the_kernels_that_know_them() {
        let text = include_str!("../kernels/known.rs");
        let tables = text.split("] = [").skip(1).map(|table| table.split("];").next().unwrap_or_default());
        let written = |table: &str| -> Vec<f32> {
            table.split([',', '[', ']']).filter_map(|number| number.trim().parse().ok()).collect()
        };
        let tables: Vec<Vec<f32>> = tables.map(written).filter(|table| table.len() > 16).collect();
        let expected = [
            super::square::<f32, 9>().as_flattened().to_vec(),
            super::square::<f32, 13>().as_flattened().to_vec(),
            super::square::<f32, 19>().as_flattened().to_vec(),
            super::square::<f32, 20>().as_flattened().to_vec(),
        ];
        assert_eq!(tables, expected);
    }
}
