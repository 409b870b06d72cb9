//! Every element type under every operation, at the limits of its range and beyond.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs)]

#[path = "kernels/types.rs"]
mod kernels;

use kernels::*;
use systolic::__private::ops;
use systolic::ndarray::{Array1, array};
use systolic::{bf16, f16};
use systolic_tests::arithmetic::{brain, brain_of_integer, half, half_of_integer};
use systolic_tests::{Data, Element, Float, Sample, check, larger, smaller};

/// An element type with values that often cause errors.
trait Special: Sample + Copy {
    /// The values.
    fn special() -> Vec<Self>;
    /// Any value of the type, small or large.
    fn any(data: &mut Data) -> Self;
}

macro_rules! special_integers {
    ($($t:ident)+) => {$(
        impl Special for $t {
            fn special() -> Vec<Self> {
                vec![0, 1, 2, 7, $t::MAX, $t::MIN, $t::MAX - 1, $t::MIN + 1, 0 - 1 * ($t::MIN >> 1), $t::MAX / 3]
            }

            fn any(data: &mut Data) -> Self {
                let bits = data.one::<$t>();
                bits >> (data.bits() % u64::from($t::BITS))
            }
        }
    )+};
}

macro_rules! special_floats {
    ($($t:ident $bits:ident)+) => {$(
        impl Special for $t {
            fn special() -> Vec<Self> {
                let one = $t::from_bits(ONE.$t);
                let tiny = $t::from_bits(1);
                vec![
                    $t::NAN, $t::INFINITY, $t::NEG_INFINITY, $t::MAX, $t::MIN, $t::MIN_POSITIVE,
                    one, -one, one - one, -(one - one), tiny, -tiny, one / (one + one + one),
                ]
            }

            fn any(data: &mut Data) -> Self {
                $t::from_bits(data.bits() as $bits)
            }
        }
    )+};
}

/// The bits of one in every float type.
struct One {
    f16: u16,
    bf16: u16,
    f32: u32,
    f64: u64,
}

const ONE: One = One { f16: 0x3c00, bf16: 0x3f80, f32: 0x3f80_0000, f64: 0x3ff0_0000_0000_0000 };

special_integers!(i8 i16 i32 i64 u8 u16 u32 u64);
special_floats!(f16 u16 bf16 u16 f32 u32 f64 u64);

/// `n` operands: every combination of special values, then half of them with any bits and half close to one.
fn operands<T: Special, const K: usize>(n: usize) -> [Array1<T>; K] {
    let special = T::special();
    let mut data = Data::new(n as u64);
    std::array::from_fn(|k| {
        let stride = special.len().pow(k as u32 % 2);
        Array1::from_shape_fn(n, |i| match i / special.len().pow(2) {
            0 => special[(i / stride + k / 2) % special.len()],
            _ if data.bits() & 1 == 0 => T::any(&mut data),
            _ => data.one(),
        })
    })
}

/// The sizes for every instance: 1, 2, primes, sizes around a tile, and one large enough for all special values.
const SIZES: [usize; 9] = [1, 2, 3, 7, 31, 32, 33, 65, 1009];

/// The size for one instance of each kernel.
const LARGE: usize = 100_003;

/// Applies a function to the elements of one operand.
fn map1<A: Copy, R>(a: &Array1<A>, f: impl Fn(A) -> R) -> Array1<R> {
    a.iter().map(|&a| f(a)).collect()
}

/// Applies a function to the elements of two operands.
fn map2<A: Copy, B: Copy, R>(a: &Array1<A>, b: &Array1<B>, f: impl Fn(A, B) -> R) -> Array1<R> {
    a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect()
}

/// Applies a function to the elements of three operands.
fn map3<A: Copy, R>(a: &Array1<A>, b: &Array1<A>, c: &Array1<A>, f: impl Fn(A, A, A) -> R) -> Array1<R> {
    (0..a.len()).map(|i| f(a[i], b[i], c[i])).collect()
}

/// Applies a function to the elements of four operands.
fn map4<A: Copy, R>(x: &[Array1<A>; 4], f: impl Fn(A, A, A, A) -> R) -> Array1<R> {
    (0..x[0].len()).map(|i| f(x[0][i], x[1][i], x[2][i], x[3][i])).collect()
}

/// Calls a macro for a list of types at every size, and for the first type also at the large one.
macro_rules! for_types {
    ($case:ident: $first:ident $($t:ident)*) => {
        for n in SIZES {
            $case!($first, n);
            $($case!($t, n);)*
        }
        $case!($first, LARGE);
    };
}

macro_rules! integers_case {
    ($t:ident, $n:expr) => {
        let [a, b] = operands::<$t, 2>($n);
        let wanted = (
            map2(&a, &b, $t::wrapping_add),
            map2(&a, &b, $t::wrapping_sub),
            map2(&a, &b, $t::wrapping_mul),
            map2(&a, &b, |a, b| if b == 0 { 0 } else { a.wrapping_div(b) }),
            map2(&a, &b, |a, b| if b == 0 { 0 } else { a.wrapping_rem(b) }),
        );
        check!(integers::<$t>(&a, &b), wanted);
    };
}

#[test]
fn integers_wrap_and_divide_by_zero() {
    for_types!(integers_case: i32 i8 i16 i64 u8 u16 u32 u64);
}

macro_rules! signed_case {
    ($t:ident, $n:expr) => {
        let [a] = operands::<$t, 1>($n);
        check!(signed::<$t>(&a), (map1(&a, $t::wrapping_neg), map1(&a, $t::wrapping_abs)));
    };
}

#[test]
fn signed_integers() {
    for_types!(signed_case: i32 i8 i16 i64);
}

macro_rules! extremes_case {
    ($t:ident, $n:expr) => {
        let [a, b, c] = operands::<$t, 3>($n);
        let wanted = (
            map3(&a, &b, &c, |a: $t, b: $t, c: $t| {
                let first = (a / 3).max((b / 5).wrapping_neg()).max(c);
                first.wrapping_add(a.max(b.wrapping_neg()).max(c.wrapping_mul(7)))
            }),
            map3(&a, &b, &c, |a: $t, b: $t, c: $t| (a / 7).min(b.wrapping_neg()).min((c / 3).wrapping_neg())),
            (0..$n)
                .map(|i| {
                    let (a, b, c): ($t, $t, $t) = (a[i], b[i], c[i]);
                    let first = a.max(b.wrapping_neg()).max(c);
                    let second = if i % 2 == 0 { 0 } else { c }.wrapping_sub(b);
                    first.wrapping_sub(a.min(second).min(3))
                })
                .collect::<Array1<_>>(),
        );
        check!(extremes::<$t>(&a, &b, &c), wanted);
    };
}

/// Some versions of nvcc fuse these operations and lose a minus sign.
#[test]
fn extremes_of_negated_integers() {
    for_types!(extremes_case: i32 i8 i64 u32);
}

macro_rules! bits_case {
    ($t:ident, $n:expr) => {
        let [a, b] = operands::<$t, 2>($n);
        let wanted =
            (map2(&a, &b, |a, b| a & b), map2(&a, &b, |a, b| a | b), map2(&a, &b, |a, b| a ^ b), map1(&a, |a| !a));
        check!(bits::<$t>(&a, &b), wanted);
    };
}

#[test]
fn bit_operations() {
    for_types!(bits_case: u32 i8 i16 i32 i64 u8 u16 u64);
}

macro_rules! shifts_case {
    ($t:ident, $n:expr) => {
        shifts_by_case!($t, i8, $n);
        shifts_by_case!($t, u16, $n);
        shifts_by_case!($t, i32, $n);
        shifts_by_case!($t, u64, $n);
    };
}

macro_rules! shifts_by_case {
    ($t:ident, $s:ident, $n:expr) => {
        let ([a], [_, count]) = (operands::<$t, 1>($n), operands::<$s, 2>($n));
        let modulo = |count: $s| i128::from(count).rem_euclid(i128::from($t::BITS)) as u32;
        let wanted = (
            map2(&a, &count, |a, count| a << modulo(count)),
            map2(&a, &count, |a, count| a >> modulo(count)),
            map1(&a, |a| a << 1),
        );
        check!(shifts::<$t, $s>(&a, &count), wanted);
    };
}

#[test]
fn shifts_modulo_the_width() {
    for_types!(shifts_case: i32 i8 i16 i64 u8 u16 u32 u64);
}

/// One operation in the wide type, rounded.
fn op2<T: Float>(a: T, b: T, f: impl Fn(T::Wide, T::Wide) -> T::Wide) -> T {
    T::narrow(f(a.wide(), b.wide()))
}

/// A product, rounded.
fn mul<T: Float>(a: T, b: T) -> T {
    op2(a, b, |a, b| a * b)
}

/// A sum, rounded.
fn add<T: Float>(a: T, b: T) -> T {
    op2(a, b, |a, b| a + b)
}

/// `a · b + c` in the wide type, rounded there and once more.
fn fma<T: Float>(a: T, b: T, c: T) -> T {
    use systolic_tests::Real;
    T::narrow(a.wide().fma(b.wide(), c.wide()))
}

/// The negated value.
fn neg<T: Float>(a: T) -> T {
    T::narrow(-a.wide())
}

macro_rules! floats_case {
    ($t:ident, $n:expr) => {
        use systolic_tests::Real;
        let [a, b] = operands::<$t, 2>($n);
        let wanted = (
            map2(&a, &b, |a, b| op2(a, b, |a, b| a + b)),
            map2(&a, &b, |a, b| op2(a, b, |a, b| a - b)),
            map2(&a, &b, |a, b| op2(a, b, |a, b| a * b)),
            map2(&a, &b, |a, b| op2(a, b, |a, b| a / b)),
            map2(&a, &b, |a, b| op2(a, b, |a, b| a % b)),
            map1(&a, neg),
            map1(&a, |a| <$t as Float>::narrow(a.wide().magnitude())),
            map1(&a, |a| <$t as Float>::narrow(a.wide().root())),
        );
        check!(floats::<$t>(&a, &b), wanted);
    };
}

#[test]
fn floats_round_every_operation() {
    for n in SIZES {
        {
            floats_case!(f16, n);
        }
        {
            floats_case!(bf16, n);
        }
        {
            floats_case!(f32, n);
        }
        {
            floats_case!(f64, n);
        }
    }
    floats_case!(f32, LARGE);
}

macro_rules! fused_case {
    ($t:ident, $n:expr) => {
        let x = operands::<$t, 4>($n);
        let wanted = (
            map4(&x, |a, b, c, _| fma(a, b, c)),
            map4(&x, |a, b, c, _| fma(b, c, a)),
            map4(&x, |a, b, c, _| fma(a, b, c)),
            map4(&x, |a, b, c, d| fma(c, d, mul(a, b))),
            map4(&x, |a, b, c, d| fma(c, d, fma(b, c, a))),
            map4(&x, |a, b, c, _| fma(a, b, c)),
            map4(&x, |a, b, c, _| fma(neg(a), b, c)),
            map4(&x, |a, b, c, d| fma(mul(a, b), c, d)),
        );
        check!(fused::<$t>(&x[0], &x[1], &x[2], &x[3]), wanted);
    };
}

#[test]
fn sums_with_products_are_fused() {
    for_types!(fused_case: f32 f16 bf16 f64);
}

macro_rules! unfused_case {
    ($t:ident, $n:expr) => {
        let x = operands::<$t, 4>($n);
        let greater = |a: $t, b: $t| op2(a, b, larger);
        let wanted = (
            map4(&x, |a, b, c, _| op2(c, mul(a, b), |a, b| a - b)),
            map4(&x, |a, b, c, _| add(mul(a, b), c)),
            map4(&x, |a, b, c, d| add(d, if a < b { mul(a, b) } else { mul(b, c) })),
            map4(&x, |a, b, c, _| add(neg(mul(a, b)), c)),
            map4(&x, |a, b, c, d| add(op2(mul(a, b), d, |a, b| a / b), c)),
            map4(&x, |a, b, c, d| add(greater(mul(a, b), mul(c, d)), c)),
        );
        check!(unfused::<$t>(&x[0], &x[1], &x[2], &x[3]), wanted);
    };
}

#[test]
fn nothing_else_is_fused() {
    for_types!(unfused_case: f32 f16 bf16 f64);
}

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

/// The smaller and the larger of two elements of any type.
trait Ordered: Copy {
    fn least(self, other: Self) -> Self;
    fn most(self, other: Self) -> Self;
}

macro_rules! ordered_integers {
    ($($t:ident)+) => {$(
        impl Ordered for $t {
            fn least(self, other: Self) -> Self {
                self.min(other)
            }

            fn most(self, other: Self) -> Self {
                self.max(other)
            }
        }
    )+};
}

macro_rules! ordered_floats {
    ($($t:ident)+) => {$(
        impl Ordered for $t {
            fn least(self, other: Self) -> Self {
                op2(self, other, smaller)
            }

            fn most(self, other: Self) -> Self {
                op2(self, other, larger)
            }
        }
    )+};
}

ordered_integers!(i8 i16 i32 i64 u8 u16 u32 u64);
ordered_floats!(f16 bf16 f32 f64);

macro_rules! extrema_case {
    ($t:ident, $n:expr) => {
        let [a, b, c] = operands::<$t, 3>($n);
        let wanted = (
            map2(&a, &b, Ordered::least),
            map2(&a, &b, Ordered::most),
            map3(&a, &b, &c, |a, b, c| a.least(b).least(c)),
            map3(&a, &b, &c, |a, b, c| a.most(b).most(c)),
        );
        check!(extrema::<$t>(&a, &b, &c), wanted);
    };
}

#[test]
fn minima_and_maxima() {
    for_types!(extrema_case: f32 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f64);
}

macro_rules! comparisons_case {
    ($t:ident, $n:expr) => {
        let [a, b] = operands::<$t, 2>($n);
        let wanted = (
            map2(&a, &b, |a, b| a < b),
            map2(&a, &b, |a, b| a <= b),
            map2(&a, &b, |a, b| a > b),
            map2(&a, &b, |a, b| a >= b),
            map2(&a, &b, |a, b| a == b),
            map2(&a, &b, |a, b| a != b),
        );
        check!(comparisons::<$t>(&a, &b), wanted);
    };
}

#[test]
fn comparisons_also_of_nans() {
    for_types!(comparisons_case: f32 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f64);
}

macro_rules! selects_case {
    ($t:ident, $n:expr) => {
        let [a, b, c] = operands::<$t, 3>($n);
        let middle = |a: $t, b: $t, c: $t| {
            let between = a < b && b < c || c < b && b < a;
            if between {
                b
            } else if a != c && a <= b {
                a
            } else {
                c
            }
        };
        let wanted = (
            map2(&a, &b, |a, b| if a <= b { a } else { b }),
            map3(&a, &b, &c, middle),
            (0..$n)
                .map(|i| {
                    if i > 2 && a[i] < b[i] {
                        a[i]
                    } else if i < 2 {
                        b[i]
                    } else {
                        c[i]
                    }
                })
                .collect(),
        );
        check!(selects::<$t>(&a, &b, &c), wanted);
    };
}

#[test]
fn values_select() {
    for_types!(selects_case: f32 i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f64);
}

#[test]
fn truth_values() {
    for n in SIZES.into_iter().chain([LARGE]) {
        let mut data = Data::new(n as u64);
        let (a, b) = (data.array::<bool, _>(n), data.array::<bool, _>(n));
        let wanted = (
            map2(&a, &b, |a, b| a && b),
            map2(&a, &b, |a, b| a || b),
            map1(&a, |a| !a),
            map2(&a, &b, |a, b| a == b),
            map2(&a, &b, |a, b| a != b),
            map2(&a, &b, |a, b| i32::from(a) + i32::from(b)),
        );
        check!(truth(&a, &b), wanted);
    }
}

/// A conversion of a number to the two types that Rust's `as` does not know.
trait ToHalves: Copy {
    fn to_half(self) -> f16;
    fn to_brain(self) -> bf16;
}

macro_rules! integers_to_halves {
    ($($t:ident)+) => {$(
        impl ToHalves for $t {
            fn to_half(self) -> f16 {
                half_of_integer(i128::from(self))
            }

            fn to_brain(self) -> bf16 {
                brain_of_integer(i128::from(self))
            }
        }
    )+};
}

macro_rules! floats_to_halves {
    ($($t:ident)+) => {$(
        impl ToHalves for $t {
            fn to_half(self) -> f16 {
                half(f64::from(self))
            }

            fn to_brain(self) -> bf16 {
                brain(f64::from(self))
            }
        }
    )+};
}

integers_to_halves!(i8 i16 i32 i64 u8 u16 u32 u64);
floats_to_halves!(f16 bf16 f32 f64);

macro_rules! casts_case {
    ($t:ident, $wide:ident, $n:expr) => {
        let [x] = operands::<$t, 1>($n);
        let wanted = (
            map1(&x, |x| $wide::from(x) as i8),
            map1(&x, |x| $wide::from(x) as i16),
            map1(&x, |x| $wide::from(x) as i32),
            map1(&x, |x| $wide::from(x) as i64),
            map1(&x, |x| $wide::from(x) as u8),
            map1(&x, |x| $wide::from(x) as u16),
            map1(&x, |x| $wide::from(x) as u32),
            map1(&x, |x| $wide::from(x) as u64),
            map1(&x, ToHalves::to_half),
            map1(&x, ToHalves::to_brain),
            map1(&x, |x| $wide::from(x) as f32),
            map1(&x, |x| $wide::from(x) as f64),
        );
        check!(casts::<$t>(&x), wanted);
    };
}

#[test]
fn casts_among_numbers() {
    for n in SIZES {
        casts_case!(i8, i8, n);
        casts_case!(i16, i16, n);
        casts_case!(i32, i32, n);
        casts_case!(i64, i64, n);
        casts_case!(u8, u8, n);
        casts_case!(u16, u16, n);
        casts_case!(u32, u32, n);
        casts_case!(u64, u64, n);
        casts_case!(f16, f32, n);
        casts_case!(bf16, f32, n);
        casts_case!(f32, f32, n);
        casts_case!(f64, f64, n);
    }
    casts_case!(f64, f64, LARGE);
}

#[test]
fn casts_round_once() {
    // Above the midpoint between two halves by less than a single can represent.
    let x =
        array![1.0 + 0.5f64.powi(11) + 0.5f64.powi(40), 65519.999999, 65520.0, 0.5f64.powi(25), 0.5f64.powi(25) * 1.1];
    let wanted = [0x3c01, 0x7bff, 0x7c00, 0x0000, 0x0001].map(f16::from_bits);
    assert_eq!(casts::<f64>::reference(&x).unwrap().8, Array1::from(wanted.to_vec()));
    // The same for an integer that a single would first round to the midpoint.
    let x = array![(1i64 << 40) + (1 << 32) + 1, (1 << 40) + (1 << 32), i64::MAX];
    let wanted = [0x5381, 0x5380, 0x5f00].map(bf16::from_bits);
    assert_eq!(casts::<i64>::reference(&x).unwrap().9, Array1::from(wanted.to_vec()));
}

#[test]
fn casts_of_truth_values() {
    for n in SIZES.into_iter().chain([LARGE]) {
        let x = Data::new(n as u64).array::<bool, _>(n);
        let wanted = (
            map1(&x, i8::from),
            map1(&x, i16::from),
            map1(&x, i32::from),
            map1(&x, i64::from),
            map1(&x, u8::from),
            map1(&x, u16::from),
            map1(&x, u32::from),
            map1(&x, u64::from),
        );
        check!(casts_of_truth(&x), wanted);
    }
}

macro_rules! integer_literals_case {
    ($t:ident, $n:expr) => {
        let [x] = operands::<$t, 1>($n);
        check!(literals::<$t>(&x), map1(&x, |x| x.wrapping_sub(3).wrapping_mul(2).wrapping_add(1)));
    };
}

macro_rules! float_literals_case {
    ($t:ident, $n:expr) => {
        let [x] = operands::<$t, 1>($n);
        let number = |x: f32| <$t as Float>::narrow(x.into());
        check!(literals::<$t>(&x), map1(&x, |x| fma(op2(x, number(3.0), |a, b| a - b), number(2.0), number(1.0))));
    };
}

#[test]
fn integer_literals_take_any_type() {
    for_types!(integer_literals_case: i32 i8 i16 i64 u8 u16 u32 u64);
    for_types!(float_literals_case: f32 f16 bf16 f64);
}

#[test]
fn literals_of_every_form() {
    for n in SIZES {
        let [x] = operands::<i8, 1>(n);
        let wanted = (
            map1(&x, |x| x.wrapping_add(i8::MIN)),
            map1(&x, |x| i64::from(x).wrapping_add(i64::MIN)),
            map1(&x, |x| (x as u64).wrapping_add(u64::MAX)),
            map1(&x, |x| i32::from(x) * 1000),
            map1(&x, |x| x as u8 ^ 0xa5),
            map1(&x, |x| f32::from(x) * 1.5e-7),
            map1(&x, |x| f64::from(x) - 0.1),
        );
        check!(extreme_literals(&x), wanted);
    }
}

macro_rules! indices_case {
    ($t:ident, $cast:expr, $sizes:expr) => {
        for n in $sizes {
            let cast: fn(i64) -> $t = $cast;
            let wanted = (
                (0..n).map(|i| cast(i as i64 - 1)).collect(),
                Array1::from_elem(n, cast(n as i64)),
                Array1::from_elem(n, cast(7)),
            );
            check!(indices::<$t, 3>(n), wanted);
        }
    };
}

#[test]
fn indices_sizes_and_generics_become_values() {
    indices_case!(i8, |x| x as i8, SIZES);
    indices_case!(i16, |x| x as i16, SIZES);
    indices_case!(i32, |x| x as i32, SIZES);
    indices_case!(i64, |x| x, SIZES);
    indices_case!(u8, |x| x as u8, SIZES);
    indices_case!(u16, |x| x as u16, SIZES);
    indices_case!(u32, |x| x as u32, SIZES);
    indices_case!(u64, |x| x as u64, SIZES);
    indices_case!(f16, ToHalves::to_half, SIZES);
    indices_case!(bf16, ToHalves::to_brain, SIZES);
    indices_case!(f32, |x| x as f32, SIZES);
    indices_case!(f64, |x| x as f64, SIZES);
    indices_case!(f16, ToHalves::to_half, [LARGE]);
}

#[test]
fn guards_and_values() {
    for n in SIZES.into_iter().chain([LARGE]) {
        let x = Data::new(n as u64).array::<i32, _>(n).mapv(|x| x % 10);
        for s in [-3, 2, 3, 40] {
            let at = |f: &dyn Fn(usize) -> i32| (0..n).map(f).collect::<Array1<i32>>();
            let wanted = (
                at(&|i| if i == 0 || i + 1 == n { x[i] } else { 0 }),
                at(&|i| {
                    if i % 3 == 1 || (i % 3 == 2 && i >= 4) { x[i] } else { -1 }
                }),
                at(&|i| {
                    if (i as i64 - 5).rem_euclid(4) == 3 { x[i] } else { 7 }
                }),
                at(&|i| if s > 2 && i < 3 { x[i] } else { s }),
                at(&|i| {
                    if (i as i32) < s {
                        1
                    } else if x[i] >= s {
                        2
                    } else {
                        3
                    }
                }),
                at(&|i| {
                    if i > 0 && (x[i - 1] < x[i] || i == 5) { x[i - 1] } else { x[i] }
                }),
            );
            check!(conditions(&x, s), wanted);
        }
    }
}

#[test]
fn operators_bind_as_in_rust() {
    for n in SIZES.into_iter().chain([LARGE]) {
        let [a, b, c] = operands::<i32, 3>(n);
        let quotient = |a: i32, b: i32| if b == 0 { 0 } else { a.wrapping_div(b) };
        let wanted = (
            map3(&a, &b, &c, |a, b, c| {
                a.wrapping_sub(b).wrapping_sub(c).wrapping_add(a.wrapping_mul(b)).wrapping_sub(c)
            }),
            map3(&a, &b, &c, |a, b, c| (quotient(a, b).wrapping_mul(c) % 1000).wrapping_add(a)),
            map3(&a, &b, &c, |a, b, c| a | (b ^ (c & (a << 4)) ^ ((!b) >> 2))),
            map2(&a, &b, |a, b| (a & 1) == (b & 1)),
            map3(&a, &b, &c, |a, b, c| a < b || (b < c && c < a) || (a != b && c.wrapping_add(1) > b)),
            map3(&a, &b, &c, |a, b, c| i64::from(a.wrapping_neg()) * i64::from(b) - i64::from(c)),
        );
        check!(precedence(&a, &b, &c), wanted);
    }
}
