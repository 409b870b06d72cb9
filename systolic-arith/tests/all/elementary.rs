//! `exp` and `ln`: the error over the whole range, special values, and exact bits.

use crate::precise;
use crate::support::Random;
use systolic_arith::elementary::{double, single};

/// The largest error so far, and its argument.
#[derive(Default)]
pub struct Worst {
    pub error: f64,
    pub argument: f64,
    pub count: u64,
}

impl Worst {
    pub fn note(&mut self, error: f64, argument: f64) {
        self.count += 1;
        // A NaN is recorded, is never replaced, and fails the test.
        if error > self.error || error.is_nan() {
            self.error = error;
            self.argument = argument;
        }
    }

    fn finish(self, name: &str) {
        println!("{name}: at most {:.4} ulp, at {:e}, over {} arguments", self.error, self.argument, self.count);
        assert!(self.error <= 2.0, "{name} is off by {} at {:e}", self.error, self.argument);
    }
}

/// The distance of an `f32` from a much more precise result, in units of its last place.
pub fn single_error(found: f32, exact: f64) -> f64 {
    if exact.is_nan() || (exact.is_infinite() && exact < 0.0) {
        let good = found.is_nan() && exact.is_nan() || found as f64 == exact;
        return if good { 0.0 } else { f64::INFINITY };
    }
    // The number after the largest float stands for infinity.
    let limit = 2_f64.powi(128);
    let exact = exact.min(limit);
    let found = (found as f64).min(limit);
    let binade = (exact.abs().to_bits() >> 52) as i32 - 1023;
    let unit = f64::from_bits(((binade.clamp(-126, 127) - 23 + 1023) as u64) << 52);
    (found - exact).abs() / unit
}

fn check_single(x: f32, exp: &mut Worst, ln: &mut Worst) {
    exp.note(single_error(single::exp(x), (x as f64).exp()), x as f64);
    ln.note(single_error(single::ln(x), (x as f64).ln()), x as f64);
}

/// Whether `SYSTOLIC_ULP=all` is set: then every `f32` and a hundred million `f64`s are tested, which takes an
/// optimised build minutes.
pub fn thorough() -> bool {
    std::env::var("SYSTOLIC_ULP").is_ok_and(|v| v == "all")
}

#[test]
fn f32_error() {
    let (mut exp, mut ln) = (Worst::default(), Worst::default());
    for bits in (0..=u32::MAX).step_by(if thorough() { 1 } else { 1021 }) {
        check_single(f32::from_bits(bits), &mut exp, &mut ln);
    }
    // Arguments for which exp is not 0, 1 or infinity, and for which ln is small.
    for k in 0..1 << 20 {
        let x = -104.5 + 194.0 * (k as f32 / (1 << 20) as f32);
        exp.note(single_error(single::exp(x), (x as f64).exp()), x as f64);
        let x = f32::from_bits(1_f32.to_bits() - (1 << 19) + k);
        ln.note(single_error(single::ln(x), (x as f64).ln()), x as f64);
    }
    exp.finish("f32 exp");
    ln.finish("f32 ln");
}

fn check_double(seed: u64, count: u32) {
    let mut random = Random(seed);
    let (mut exp, mut ln) = (Worst::default(), Worst::default());
    for round in 0..count {
        let x = match round % 4 {
            // The whole range, subnormal results, one reduced range, and all magnitudes.
            0 => -745.5 + 1455.5 * random.unit(),
            1 => -745.5 + 38.0 * random.unit(),
            2 => 1.5 * (2.0 * random.unit() - 1.0),
            _ => {
                let exponent = 1023 - 60 + random.below(70);
                f64::from_bits((random.bits() & (u64::MAX >> 12 | 1 << 63)) | (exponent << 52))
            }
        };
        if x.abs() < 709.7 || (x < 0.0 && x > -745.2) {
            let (exact, exponent) = precise::exp(x);
            exp.note(precise::error(double::exp(x), exact, exponent), x);
        }
        let x = match round % 4 {
            // All floats, subnormal ones, one reduced range, and those near 1.
            0 => f64::from_bits(random.bits() >> 1),
            1 => f64::from_bits(random.bits() >> (12 + random.below(48))),
            2 => 0.7 + 0.72 * random.unit(),
            _ => f64::from_bits(1_f64.to_bits() + (1 << 51) - (random.bits() >> (12 + random.below(40)))),
        };
        if x > 0.0 && x.is_finite() && x != 1.0 {
            ln.note(precise::error(double::ln(x), precise::ln(x), 0), x);
        }
    }
    exp.finish("f64 exp");
    ln.finish("f64 ln");
}

#[test]
fn f64_error() {
    check_double(13, if thorough() { 100_000_000 } else { 280_000 });
}

#[test]
fn special_values() {
    macro_rules! check {
        ($float:ident, $functions:ident, $most:expr, $least:expr) => {
            let (exp, ln) = ($functions::exp, $functions::ln);
            let tiny = $float::from_bits(1);
            assert_eq!(exp(0.0).to_bits(), (1.0 as $float).to_bits());
            assert_eq!(exp(-0.0), 1.0);
            assert_eq!(exp(tiny), 1.0);
            assert_eq!(exp(-tiny), 1.0);
            assert_eq!(exp($float::INFINITY), $float::INFINITY);
            assert_eq!(exp($float::MAX), $float::INFINITY);
            assert_eq!(exp($float::NEG_INFINITY).to_bits(), 0);
            assert_eq!(exp($float::MIN).to_bits(), 0);
            assert!(exp($float::NAN).is_nan() && exp(-$float::NAN).is_nan());
            // The limits of overflow and underflow, from both sides.
            let most: $float = $most;
            assert!(exp(most).is_finite() && exp(most.next_up()).is_infinite());
            let least: $float = $least;
            assert_eq!(exp(least), tiny);
            assert_eq!(exp(least.next_down()).to_bits(), 0);
            assert_eq!(ln(1.0).to_bits(), 0);
            assert_eq!(ln(0.0), $float::NEG_INFINITY);
            assert_eq!(ln(-0.0), $float::NEG_INFINITY);
            assert_eq!(ln($float::INFINITY), $float::INFINITY);
            for x in [-1.0, -tiny, $float::MIN, $float::NEG_INFINITY, $float::NAN, -$float::NAN] {
                assert!(ln(x).is_nan());
            }
            assert!(ln($float::MAX).is_finite() && ln(tiny).is_finite());
        };
    }
    check!(f32, single, 88.722_83, -103.972_08);
    check!(f64, double, 709.782_712_893_384, -745.133_219_101_941_1);
}

/// The bits of both functions over a sweep of all floats. A deliberate change of the sequence has to change every
/// executor, and then these numbers.
#[test]
fn the_bits_stay() {
    fn hash(bits: impl Iterator<Item = u64>) -> u64 {
        bits.fold(0xcbf2_9ce4_8422_2325, |hash, bits| {
            bits.to_le_bytes().iter().fold(hash, |hash, &byte| (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3))
        })
    }
    fn sweep(function: fn(f32) -> f32) -> u64 {
        hash((0..=u32::MAX).step_by(16_381).map(|bits| {
            let result = function(f32::from_bits(bits));
            if result.is_nan() { 0x7fc0_0000 } else { result.to_bits() as u64 }
        }))
    }
    fn sweep_double(function: fn(f64) -> f64) -> u64 {
        hash((0..1_u64 << 18).map(|k| {
            let result = function(f64::from_bits(k.wrapping_mul(0x3fff_ffff_ffc5)));
            if result.is_nan() { 0x7ff8_0000_0000_0000 } else { result.to_bits() }
        }))
    }
    let found = [sweep(single::exp), sweep(single::ln), sweep_double(double::exp), sweep_double(double::ln)];
    let expected = [0x2511_7bcf_b05d_cb43, 0x9214_e56f_60c2_8135, 0x08b5_7aa1_5332_f675, 0xa4e2_c3ac_dd7c_025d];
    assert_eq!(found, expected, "{found:#x?}");
}
