//! Random inputs, and comparisons of results.
use systolic::ndarray::Array2;

/// A random number generator (SplitMix64), the same on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from −1 to 1.
    pub fn float(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    pub fn image(&mut self, rows: usize, columns: usize) -> Array2<f32> {
        Array2::from_shape_simple_fn((rows, columns), || self.float())
    }
}

/// Overwrites an image with NaN.
pub fn spoil(image: &mut Array2<f32>) {
    image.fill(f32::NAN);
}

/// Checks that every bit is as expected.
pub fn same_bits(found: &Array2<f32>, expected: &Array2<f32>) -> Result<(), String> {
    compare(found, expected, |f, e| f.to_bits() == e.to_bits())
}

/// Checks that every value is within `margin` of the expected one.
pub fn close(found: &Array2<f32>, expected: &Array2<f32>, margin: f32) -> Result<(), String> {
    // Written this way so that NaN fails.
    compare(found, expected, |f, e| (f - e).abs() <= margin)
}

fn compare(found: &Array2<f32>, expected: &Array2<f32>, equal: impl Fn(f32, f32) -> bool) -> Result<(), String> {
    if found.shape() != expected.shape() {
        return Err(format!("shape {:?} instead of {:?}", found.shape(), expected.shape()));
    }
    let wrong = found.indexed_iter().zip(expected).find(|((_, f), e)| !equal(**f, **e));
    wrong.map_or(Ok(()), |(((r, c), f), e)| Err(format!("at ({r}, {c}): {f} instead of {e}")))
}
