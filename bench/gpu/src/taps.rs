//! The expected result of a weighted sum of neighbours, computed with one thread per element.
use crate::Fallible;
use crate::code::Arguments;
use crate::lab::{Lab, Number, Rows, THREADS};
use systolic::{DeviceArray, Rank, interop};

/// One neighbour: its offset in planes, rows and columns, and its weight.
#[derive(Clone, Copy)]
pub struct Tap {
    pub at: [i32; 3],
    pub weight: f64,
}

/// The value of a neighbour outside the array.
#[derive(Clone, Copy, Default)]
pub enum Border {
    /// No neighbour lies outside.
    #[default]
    Inside,
    Zero,
    Clamp,
    Reflect,
    Symmetric,
    Wrap,
    Constant(f64),
}

impl Border {
    /// The number by which `reference.cu` knows it, and the value of a constant border.
    fn code(self) -> (i32, f64) {
        match self {
            Border::Inside => (0, 0.0),
            Border::Zero => (1, 0.0),
            Border::Clamp => (2, 0.0),
            Border::Reflect => (3, 0.0),
            Border::Wrap => (4, 0.0),
            Border::Constant(value) => (5, value),
            Border::Symmetric => (6, 0.0),
        }
    }
}

/// A weighted sum, in order.
#[derive(Clone)]
pub struct Taps {
    pub taps: Vec<Tap>,
    /// The distance in elements of the input from one output to the next, along columns.
    pub stride: i32,
    pub border: Border,
    /// Whether the first product is added to 0; otherwise it starts the sum.
    pub begins: bool,
    /// The number of times the sum is applied, each time to the results before.
    pub steps: u32,
}

impl Taps {
    /// Taps in the order given.
    pub fn new(taps: impl IntoIterator<Item = ([i32; 3], f64)>) -> Taps {
        let taps = taps.into_iter().map(|(at, weight)| Tap { at, weight }).collect();
        Taps { taps, stride: 1, border: Border::Inside, begins: true, steps: 1 }
    }

    /// The taps of a filter with this many planes, rows and columns, ordered by plane, row and column.
    pub fn filter(shape: [usize; 3], weights: &[impl Copy + Into<f64>]) -> Taps {
        let [_, rows, columns] = shape;
        let place = |k: usize| [k / columns / rows, k / columns % rows, k % columns].map(|i| i as i32);
        Taps::new(weights.iter().enumerate().map(|(k, weight)| (place(k), (*weight).into())))
    }

    /// The same filter around its centre, with this border.
    pub fn around(mut self, shape: [usize; 3], border: Border) -> Taps {
        for tap in &mut self.taps {
            for (at, size) in tap.at.iter_mut().zip(shape) {
                *at -= size as i32 / 2;
            }
        }
        Taps { border, ..self }
    }

    /// The same sum from the last tap to the first.
    pub fn backwards(mut self) -> Taps {
        self.taps.reverse();
        self
    }

    /// The largest sum of inputs between −1 and 1.
    pub fn most(&self) -> f64 {
        self.taps.iter().map(|tap| tap.weight.abs()).sum()
    }

    /// The sums of all outputs, after all steps.
    pub fn expected<T: Number, D: Rank>(
        &self,
        lab: &Lab,
        x: &DeviceArray<T, D>,
        shape: D,
    ) -> Fallible<DeviceArray<T, D>> {
        let mut z = self.step(lab, x, shape.clone())?;
        for _ in 1..self.steps {
            z = self.step(lab, &z, shape.clone())?;
        }
        Ok(z)
    }

    fn step<T: Number, D: Rank>(&self, lab: &Lab, x: &DeviceArray<T, D>, shape: D) -> Fallible<DeviceArray<T, D>> {
        let z = lab.gpu.zeros(shape)?;
        lab.gpu.own_stream().synchronize()?;
        let place = |[plane, row, _]: [i32; 3]| u64::from(plane.cast_unsigned()) | u64::from(row.cast_unsigned()) << 32;
        let words = |tap: &Tap| [place(tap.at), u64::from(tap.at[2].cast_unsigned()), tap.weight.to_bits()];
        let words: Vec<u64> = self.taps.iter().flat_map(words).collect();
        let taps = lab.gpu.upload(&words)?;
        let planes = if let [planes, _, _] = x.shape() { *planes as u64 } else { 1 };
        let ([from, to], (border, value)) = ([Rows::of(x), Rows::of(&z)], self.border.code());
        let arguments = Arguments::default()
            .words([from.address, to.address, planes, from.rows / planes, from.columns, from.pitch])
            .words([to.rows / planes, to.columns, to.pitch, interop::pointer(&taps)])
            .ints([i32::try_from(self.taps.len())?, self.stride, border])
            .double(value)
            .ints([self.begins.into()]);
        let kernel = lab.code.kernel(&format!("taps_{}", T::NAME), to.grid(), THREADS, arguments)?;
        kernel.launch(&lab.stream)?;
        lab.stream.synchronize()?;
        Ok(z)
    }
}
