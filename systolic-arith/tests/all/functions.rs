//! The functions beside `exp` and `ln`: the distance from the standard library, special values, and exact bits.

use crate::elementary::{Worst, single_error, thorough};
use crate::support::{Random, edges};
use systolic_arith::elementary::{double, single};
use systolic_arith::{Type, UnaryOp, Value, ops};

/// A function in both precisions, that of the standard library, how far arguments go that matter, and the largest error
/// for `f32` in units of the last place.
struct Function {
    name: &'static str,
    single: fn(f32) -> f32,
    double: fn(f64) -> f64,
    standard: fn(f64) -> f64,
    reach: [f64; 2],
    most: f64,
}

macro_rules! functions {
    ($($name:ident $single:literal $double:literal $most:literal;)+) => {
        [$(Function {
            name: stringify!($name),
            single: single::$name,
            double: double::$name,
            standard: f64::$name,
            reach: [$single, $double],
            most: $most,
        },)+]
    };
}

const FUNCTIONS: [Function; 9] = functions! {
    exp2 151.0 1076.0 0.9;
    log2 4.0 4.0 1.4;
    sin 1e5 1e6 0.8;
    cos 1e5 1e6 0.8;
    tan 1e5 1e6 0.9;
    atan 8.0 8.0 0.8;
    sinh 91.0 711.0 1.0;
    cosh 91.0 711.0 1.0;
    tanh 10.0 21.0 0.8;
};

/// The distance of two floats, counted in floats between them; 0 for two NaNs.
fn steps(a: f64, b: f64) -> u64 {
    let place = |x: f64| if x < 0.0 { -((x.to_bits() & !(1 << 63)) as i64) } else { x.to_bits() as i64 };
    if a.is_nan() || b.is_nan() {
        return if a.is_nan() && b.is_nan() { 0 } else { u64::MAX };
    }
    place(a).abs_diff(place(b))
}

/// Random arguments: all floats, those up to `reach`, those near 1 and those near 0.
fn argument(random: &mut Random, round: u32, reach: f64) -> f64 {
    let sign = 2.0 * random.unit() - 1.0;
    match round % 4 {
        0 => f64::from_bits(random.bits()),
        1 => sign * reach,
        2 => 1.0 + sign * 2_f64.powi(-(random.below(40) as i32)),
        _ => sign * 2_f64.powi(-(random.below(60) as i32)),
    }
}

#[test]
fn single_precision() {
    for function in FUNCTIONS {
        let mut worst = Worst::default();
        let mut random = Random(5);
        let mut check = |x: f32| {
            let (found, exact) = ((function.single)(x), (function.standard)(f64::from(x)));
            // `single_error` knows of one infinity only, so magnitudes and signs are compared.
            let error = single_error(found.abs(), exact.abs());
            let same_sign = found.is_nan() || found.is_sign_negative() == exact.is_sign_negative();
            worst.note(if same_sign { error } else { f64::NAN }, f64::from(x));
        };
        (0..=u32::MAX).step_by(if thorough() { 1 } else { 16_381 }).for_each(|bits| check(f32::from_bits(bits)));
        (0..100_000).for_each(|round| check(argument(&mut random, round, function.reach[0]) as f32));
        println!("f32 {}: at most {:.4} ulp, at {:e}", function.name, worst.error, worst.argument);
        assert!(worst.error <= function.most, "{} is off by {} at {:e}", function.name, worst.error, worst.argument);
    }
}

/// The standard library is itself off by up to a unit or two.
#[test]
fn double_precision() {
    for function in FUNCTIONS {
        let mut random = Random(6);
        let mut most = 0;
        for round in 0..if thorough() { 20_000_000 } else { 60_000 } {
            let x = argument(&mut random, round, function.reach[1]);
            let off = steps((function.double)(x), (function.standard)(x));
            assert!(off <= 2, "{}({x:e}) = {:e} is {off} steps away", function.name, (function.double)(x));
            most = most.max(off);
        }
        println!("f64 {}: at most {most} steps from the standard library", function.name);
    }
}

/// Results that were computed with 1400 bits and rounded: large angles and those close to a multiple of pi/2.
#[test]
fn large_angles() {
    let closest = 6_381_956_970_095_103.0 * 2_f64.powi(797);
    for (x, sine, cosine) in [
        (1e22, -0.852_200_849_767_188_8, 0.523_214_785_395_139),
        (f64::MAX, 0.004_961_954_789_184_062, -0.999_987_689_426_559_9),
        (2_f64.powi(1000), -0.159_201_703_086_242_43, 0.987_246_077_598_913_5),
        (closest, 1.0, -4.687_165_924_254_628e-19),
        (1_073_741_824.0, -0.617_326_415_046_042_1, 0.786_707_122_941_188_2),
    ] {
        assert!(steps(double::sin(x), sine) <= 1 && steps(double::cos(x), cosine) <= 1, "{x:e}");
        assert!(steps(double::sin(-x), -sine) <= 1 && steps(double::cos(-x), cosine) <= 1, "{x:e}");
    }
}

/// Below `FAR` the functions without branches are the same.
#[test]
fn near_angles() {
    let mut random = Random(8);
    for round in 0..20_000 {
        let x = argument(&mut random, round, double::near::FAR);
        if x.abs() < double::near::FAR {
            let near = [double::near::sin(x), double::near::cos(x), double::near::tan(x)];
            assert_eq!(near.map(f64::to_bits), [double::sin(x), double::cos(x), double::tan(x)].map(f64::to_bits));
        }
        let x = argument(&mut random, round, 32_768.0) as f32;
        if x.abs() < single::near::FAR {
            let near = [single::near::sin(x), single::near::cos(x), single::near::tan(x)];
            assert_eq!(near.map(f32::to_bits), [single::sin(x), single::cos(x), single::tan(x)].map(f32::to_bits));
        }
    }
}

#[test]
fn powers() {
    let mut random = Random(7);
    let mut worst = Worst::default();
    for round in 0..if thorough() { 20_000_000 } else { 200_000 } {
        let x = argument(&mut random, round, 100.0).abs();
        // Exponents that give results of all sizes, some of them 0 or infinity.
        let aim = (2.0 * random.unit() - 1.0) * 1100.0;
        let y = if round % 3 == 0 { (aim / 10.0).round() } else { aim / x.log2() };
        let off = steps(double::pow(x, y), x.powf(y));
        assert!(off <= 2, "pow({x:e}, {y:e}) = {:e} is {off} steps away", double::pow(x, y));
        let (x, y) = (x as f32, if round % 3 == 0 { y } else { y / 8.0 } as f32);
        worst.note(single_error(single::pow(x, y), f64::from(x).powf(f64::from(y))), f64::from(x));
    }
    println!("f32 pow: at most {:.4} ulp", worst.error);
    assert!(worst.error <= 0.9, "pow is off by {} at {:e}", worst.error, worst.argument);
}

/// All pairs of special values have the result of the standard library, but for the sign of a NaN.
#[test]
fn powers_of_special_values() {
    let own = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 1e15, 2_251_799_813_685_249.5, 9_007_199_254_740_993.0, 1e300];
    let ends = [f64::INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), 0.999_999_999_999_999_9];
    let all = || own.iter().chain(&ends).flat_map(|x| [*x, -x]);
    for x in all() {
        for y in all() {
            let (found, exact) = (double::pow(x, y), x.powf(y));
            assert!(
                steps(found, exact) <= 1 && (exact.is_nan() || exact.signum() == found.signum()),
                "pow({x:e}, {y:e})"
            );
            let (x, y) = (x as f32, y as f32);
            let (found, exact) = (single::pow(x, y), x.powf(y));
            let near = (f64::from(found) - f64::from(exact)).abs() <= f64::from(exact.abs()) * 1e-7;
            let same = found == exact || found.is_nan() && exact.is_nan() || near;
            assert!(same && (exact.is_nan() || exact.signum() == found.signum()), "pow({x:e}, {y:e}) = {found:e}");
        }
    }
    assert_eq!(double::pow(-8.0, 1.0 / 3.0).to_bits() << 1 >> 53, 0x7ff);
    assert_eq!((double::pow(10.0, 22.0), double::pow(3.0, 33.0)), (1e22, 5_559_060_566_555_523.0));
}

#[test]
fn special_values() {
    macro_rules! check {
        ($float:ident, $functions:ident) => {
            let (zero, tiny, infinity) = (0.0 as $float, $float::from_bits(1), $float::INFINITY);
            for odd in [$functions::sin, $functions::tan, $functions::atan, $functions::sinh, $functions::tanh] {
                for x in [zero, -zero, tiny, -tiny, $float::MIN_POSITIVE] {
                    assert_eq!(odd(x).to_bits(), x.to_bits());
                }
            }
            for x in [infinity, -infinity, $float::NAN] {
                for of_angles in [$functions::sin, $functions::cos, $functions::tan] {
                    assert!(of_angles(x).is_nan());
                }
            }
            for x in [zero, -zero, tiny] {
                assert_eq!([$functions::cos(x), $functions::cosh(x), $functions::exp2(x)], [1.0; 3]);
            }
            assert_eq!([$functions::tanh(infinity), $functions::tanh(-infinity)], [1.0, -1.0]);
            assert_eq!([$functions::sinh(-infinity), $functions::cosh(-infinity)], [-infinity, infinity]);
            assert_eq!([$functions::sinh($float::MAX), $functions::cosh($float::MIN)], [infinity; 2]);
            assert_eq!($functions::atan(-infinity), -$functions::atan(infinity));
            assert_eq!($functions::atan(infinity), std::f64::consts::FRAC_PI_2 as $float);
            assert_eq!([$functions::exp2(infinity), $functions::exp2(-infinity)], [infinity, 0.0]);
            for functions in [$functions::exp2, $functions::atan, $functions::sinh, $functions::cosh, $functions::tanh]
            {
                assert!(functions($float::NAN).is_nan() && functions(-$float::NAN).is_nan());
            }
            for n in -30..30 {
                let power = (2.0 as $float).powi(n);
                assert_eq!(($functions::exp2(n as $float), $functions::log2(power)), (power, n as $float));
            }
            assert_eq!([$functions::log2(zero), $functions::log2(infinity)], [-infinity, infinity]);
            assert!($functions::log2(-1.0).is_nan() && $functions::log2($float::NAN).is_nan());
            assert!($functions::exp2($float::MAX_EXP as $float).is_infinite());
        };
    }
    check!(f32, single);
    check!(f64, double);
}

/// Rounding to integers is exact, and keeps the sign of zero.
#[test]
fn roundings() {
    for (x, expected) in [
        (2.5, [2.0, 3.0, 3.0, 2.0, 2.0]),
        (-2.5, [-3.0, -2.0, -3.0, -2.0, -2.0]),
        (0.499_999_999_999_999_94, [0.0, 1.0, 0.0, 0.0, 0.0]),
        (-0.5, [-1.0, -0.0, -1.0, -0.0, -0.0]),
        (-0.0, [-0.0; 5]),
        (
            2_251_799_813_685_249.5,
            [
                2_251_799_813_685_249.0,
                2_251_799_813_685_250.0,
                2_251_799_813_685_250.0,
                2_251_799_813_685_250.0,
                2_251_799_813_685_249.0,
            ],
        ),
        (1e300, [1e300; 5]),
        (f64::NEG_INFINITY, [f64::NEG_INFINITY; 5]),
    ] {
        let found = [ops::floor(x), ops::ceil(x), ops::round(x), ops::round_even(x), ops::trunc(x)];
        assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits), "{x}");
    }
    // The 16-bit floats are those of `f32`.
    for op in UnaryOp::ALL.into_iter().filter(|op| op.is_of_floats()) {
        for ty in [Type::F16, Type::Bf16] {
            for bits in edges(ty).into_iter().chain((0..1 << 16).step_by(7)) {
                let x = Value::from_bits(ty, bits);
                let wide = x.cast(Type::F32).and_then(|x| Value::unary(op, x)).and_then(|x| x.cast(ty)).unwrap();
                assert!(Value::unary(op, x).unwrap().same_bits(wide), "{op} {x}");
            }
        }
    }
}

/// A hash of the results over a sweep of all floats. A deliberate change of a sequence has to change every executor, and
/// then these numbers.
#[test]
fn the_bits_stay() {
    fn add(hash: u64, bits: u64) -> u64 {
        bits.to_le_bytes().iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for function in FUNCTIONS {
        for k in 0..1_u64 << 14 {
            let result = (function.single)(f32::from_bits((k as u32).wrapping_mul(262_139)));
            hash = add(hash, if result.is_nan() { 1 } else { u64::from(result.to_bits()) });
            let result = (function.double)(f64::from_bits(k.wrapping_mul(0x3_ffff_ffff_ffc5)));
            hash = add(hash, if result.is_nan() { 1 } else { result.to_bits() });
        }
    }
    for k in 0..1_u64 << 14 {
        let (x, y) = (k as f64 / 64.0, (k % 127) as f64 / 3.0 - 20.0);
        hash = add(hash, double::pow(x, y).to_bits());
        hash = add(hash, u64::from(single::pow(x as f32, y as f32).to_bits()));
    }
    assert_eq!(hash, 0x5aeb_a7cf_6567_9dd2, "{hash:#x}");
}
