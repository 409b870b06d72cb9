//! The exponential function, the logarithm, and the other functions of floats.
use crate::kernels::*;
use crate::operands::{LARGE, SIZES, map1, operands};
use systolic::__private::ops;
use systolic::ndarray::{Array2, array};
use systolic::{bf16, f16};
use systolic_tests::{Data, Element, check};

macro_rules! elementary_case {
    ($t:ident, $n:expr) => {
        let [x] = operands::<$t, 1>($n);
        check!(elementary::<$t>(&x), (map1(&x, ops::exp), map1(&x, ops::ln)));
    };
}

#[test]
fn exponential_and_logarithm() {
    for_types!(elementary_case: f32 f16 bf16 f64);
}

macro_rules! functions_case {
    ($t:ident, $n:expr) => {
        let [x, z] = operands::<$t, 2>($n);
        let columns: [fn($t, $t) -> $t; 15] = [
            |x, _| ops::exp2(x),
            |x, _| ops::log2(x),
            ops::pow,
            |x, _| ops::sin(x),
            |x, _| ops::cos(x),
            |x, _| ops::tan(x),
            |x, _| ops::atan(x),
            |x, _| ops::sinh(x),
            |x, _| ops::cosh(x),
            |x, _| ops::tanh(x),
            |x, _| ops::floor(x),
            |x, _| ops::ceil(x),
            |x, _| ops::round(x),
            |x, _| ops::round_even(x),
            |x, _| ops::trunc(x),
        ];
        let wanted = Array2::from_shape_fn((x.len(), 15), |(i, k)| columns[k](x[i], z[i]));
        check!(functions::<$t>(&x, &z), wanted);
    };
}

#[test]
fn other_functions() {
    for_types!(functions_case: f32 f16 f64);
}

#[test]
fn exponential_and_logarithm_at_the_ends() {
    let x = array![f32::NEG_INFINITY, f32::INFINITY, f32::NAN, 0.0, -0.0, 1.0, -1.0, 1000.0, -1000.0];
    let (exponential, logarithm) = elementary::<f32>::reference(&x).unwrap();
    let wanted =
        array![0.0, f32::INFINITY, f32::NAN, 1.0, 1.0, 1f64.exp() as f32, (-1f64).exp() as f32, f32::INFINITY, 0.0];
    assert!(exponential.iter().zip(&wanted).all(|(got, want)| ulps32(*got, f64::from(*want)) <= 2.0), "{exponential}");
    let infinite = f32::NEG_INFINITY;
    let wanted =
        array![f32::NAN, f32::INFINITY, f32::NAN, infinite, infinite, 0.0, f32::NAN, 1000f64.ln() as f32, f32::NAN];
    assert!(logarithm.iter().zip(&wanted).all(|(got, want)| ulps32(*got, f64::from(*want)) <= 2.0), "{logarithm}");
}

/// The error of a single in units of the last place.
fn ulps32(got: f32, exact: f64) -> f64 {
    let near = exact as f32;
    if got.same(near) {
        return 0.0;
    }
    let place = f64::from(near.abs().next_up()) - f64::from(near.abs());
    (f64::from(got) - exact).abs() / place
}

/// The number of doubles between two.
fn ulps64(got: f64, wanted: f64) -> u64 {
    if got.same(wanted) { 0 } else { got.to_bits().abs_diff(wanted.to_bits()) }
}

#[test]
fn exponential_and_logarithm_to_two_places() {
    let mut data = Data::new(2);
    for _ in 0..20_000 {
        let wide = 110.0 * data.one::<f64>();
        let x = wide as f32;
        assert!(ulps32(ops::exp(x), f64::from(x).exp()) <= 2.0, "exp({x:?}) = {:?}", ops::exp(x));
        let x = 6.9 * wide;
        assert!(ulps64(ops::exp(x), x.exp()) <= 2, "exp({x:?}) = {:?}", ops::exp(x));
        let x = f32::from_bits(data.bits() as u32 & 0x7fff_ffff);
        assert!(ulps32(ops::ln(x), f64::from(x).ln()) <= 2.0, "ln({x:?}) = {:?}", ops::ln(x));
        let x = f64::from_bits(data.bits() & (u64::MAX >> 1));
        assert!(ulps64(ops::ln(x), x.ln()) <= 2, "ln({x:?}) = {:?}", ops::ln(x));
        let x = 1.0 + data.one::<f64>() / 8.0;
        assert!(ulps64(ops::ln(x), x.ln()) <= 2, "ln({x:?}) = {:?}", ops::ln(x));
        assert!(ulps32(ops::ln(x as f32), f64::from(x as f32).ln()) <= 2.0, "ln({:?})", x as f32);
    }
}

#[test]
fn halves_take_the_singles_exponential_and_logarithm() {
    for bits in 0..=u16::MAX {
        let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
        assert!(ops::exp(half).same(f16::from_f32(ops::exp(half.to_f32()))), "exp({half:?})");
        assert!(ops::ln(half).same(f16::from_f32(ops::ln(half.to_f32()))), "ln({half:?})");
        assert!(ops::exp(brain).same(bf16::from_f32(ops::exp(brain.to_f32()))), "exp({brain:?})");
        assert!(ops::ln(brain).same(bf16::from_f32(ops::ln(brain.to_f32()))), "ln({brain:?})");
    }
}
