//! What a program that measures candidates needs: numbers for inputs, a comparison bit by bit, the median of several times.
use systolic::ndarray::{Array, Dimension, IntoDimension};
use systolic::{bf16, f16};

/// An element of an array.
pub trait Number: Copy {
    /// A number for these random bits: between -1 and 1, or a small positive integer.
    fn of(random: u64) -> Self;
    /// Its bits; all that are not numbers count as one.
    fn bits(self) -> u64;
}

macro_rules! integers {
    ($($ty:ty)+) => { $(impl Number for $ty {
        fn of(random: u64) -> Self { (1 + random % 100) as $ty }
        fn bits(self) -> u64 { self as u64 }
    })+ };
}
integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

macro_rules! floats {
    ($($ty:ty, $from:expr;)+) => { $(impl Number for $ty {
        fn of(random: u64) -> Self { $from((random % 2001) as f32 / 1000.0 - 1.0) }
        fn bits(self) -> u64 { if self.is_nan() { u64::MAX } else { self.to_bits() as u64 } }
    })+ };
}
floats! { f32, |x: f32| x; f64, f64::from; f16, f16::from_f32; bf16, bf16::from_f32; }

impl Number for bool {
    fn of(random: u64) -> Self {
        random % 2 == 1
    }
    fn bits(self) -> u64 {
        self.into()
    }
}

/// The number at a place of a sequence of pseudo-random ones (SplitMix64), the same in every run.
pub fn random<T: Number>(seed: u64, place: u64) -> T {
    let mut z = (seed << 40).wrapping_add(place).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    T::of((z ^ (z >> 31)) >> 8)
}

/// An array of pseudo-random numbers.
pub fn filled<T: Number, S: IntoDimension>(shape: S, seed: u64) -> Array<T, S::Dim> {
    let mut array = Array::from_elem(shape, T::of(0));
    array.iter_mut().zip(0..).for_each(|(element, place)| *element = random(seed, place));
    array
}

/// Fails if two arrays differ in a bit, with the first place.
pub fn same<T: Number, D: Dimension>(name: &str, expected: &Array<T, D>, found: &Array<T, D>) -> Result<(), String> {
    if expected.shape() != found.shape() {
        return Err(format!("`{name}` has the shape {:?} instead of {:?}", found.shape(), expected.shape()));
    }
    let differ = expected.iter().zip(found).position(|(a, b)| a.bits() != b.bits());
    differ.map_or(Ok(()), |at| Err(format!("wrong bits in `{name}`, first at element {at}")))
}

/// The seconds of one call: the median of several rounds. `calls` makes the given number of calls and returns their seconds.
pub fn median(calls: &mut dyn FnMut(usize) -> Result<f64, String>) -> Result<f64, String> {
    // The first call also fills caches.
    let once = calls(1)?.min(calls(1)?).max(1e-9);
    let count = (2e-3 / once).ceil().clamp(1.0, 1e6) as usize;
    let (mut rounds, mut spent) = (Vec::new(), 0.0);
    while rounds.len() < 3 || (spent < 0.4 && rounds.len() < 41) {
        let seconds = calls(count)?;
        spent += seconds;
        rounds.push(seconds / count as f64);
    }
    rounds.sort_by(f64::total_cmp);
    Ok(rounds[rounds.len() / 2])
}

/// Prints a result as one line of JSON.
pub fn report(candidate: usize, result: Result<f64, String>) {
    let rest = match result {
        Ok(seconds) => format!("\"seconds\": {seconds:e}"),
        Err(why) => {
            let plain = |c: char| if c == '"' || c == '\\' || c.is_control() { '\'' } else { c };
            format!("\"failed\": \"{}\"", why.chars().map(plain).collect::<String>())
        }
    };
    println!("{{\"candidate\": {candidate}, {rest}}}");
    // The line is written before the process ends, however it ends.
    let _ = std::io::Write::flush(&mut std::io::stdout());
}
