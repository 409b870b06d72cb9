//! Every operation of every type, bit by bit.
use crate::random::Random;
use systolic_arith::{Bits, CastTo, Float, Integer, Number, Scalar, bf16, f16, ops};
use systolic_runtime::Error;
use systolic_runtime::emitted::cpu::{Block, Element, LANES, Level, Mask, Simd, Vector, launch_on};

const ROUNDS: u64 = if cfg!(debug_assertions) { 150 } else { 3000 };

/// Not inlined, and by plain functions: with hundreds of types and operations the compiler's time counts.
#[inline(never)]
fn same<T: Scalar, const N: usize>(
    what: &str,
    level: &str,
    got: [T; LANES],
    lanes: [&[T; LANES]; N],
    f: fn([T; N]) -> T,
) {
    for l in 0..LANES {
        let operands = lanes.map(|x| x[l]);
        let (got, expected) = (got[l].value(), f(operands).value());
        assert!(got.same_bits(expected), "{what} {operands:?} at {level}, lane {l}: {got:?}, not {expected:?}");
    }
}

#[inline(never)]
fn same_of<T: Scalar, U: Scalar>(what: &str, level: &str, got: [U; LANES], lanes: &[T; LANES], f: fn(T) -> U) {
    for l in 0..LANES {
        let (got, expected) = (got[l].value(), f(lanes[l]).value());
        assert!(got.same_bits(expected), "{what} {:?} at {level}, lane {l}: {got:?}, not {expected:?}", lanes[l]);
    }
}

#[inline(never)]
fn same_mask<T: Scalar>(what: &str, level: &str, got: Mask, a: &[T; LANES], b: &[T; LANES], f: fn(T, T) -> bool) {
    for l in 0..LANES {
        assert_eq!((got >> l) & 1 == 1, f(a[l], b[l]), "{what} of {:?}, {:?} at {level}, lane {l}", a[l], b[l]);
    }
}

/// A check of one type, which becomes a block of a launch.
trait Check: Sync {
    fn check<S: Simd>(&self, simd: S, random: &mut Random);
}

struct Run<C>(C);

impl<C: Check> Block for Run<C> {
    fn run<S: Simd>(&self, simd: S, [_, _, seed]: [i64; 3]) -> Result<(), Error> {
        self.0.check(simd, &mut Random(seed as u64));
        Ok(())
    }
}

fn check(check: impl Check) {
    let run = Run(check);
    for level in Level::available() {
        launch_on(level, &run, [0; 3], [0, 0, ROUNDS as i64 - 1]).unwrap();
    }
}

struct Of<T>(std::marker::PhantomData<fn() -> T>);

macro_rules! of {
    ($check:ident: $($type:ident)+) => {
        $(check($check(Of::<$type>(std::marker::PhantomData)));)+
    };
}

macro_rules! binary {
    ($simd:ident $a:ident $b:ident: $($name:ident)+) => {
        $({
            let got = $simd.load(&$a).$name($simd.load(&$b)).to_lanes();
            same(stringify!($name), S::NAME, got, [&$a, &$b], |[a, b]| ops::$name(a, b));
        })+
    };
}

macro_rules! unary {
    ($simd:ident $a:ident: $($name:ident)+) => {
        $(same(stringify!($name), S::NAME, $simd.load(&$a).$name().to_lanes(), [&$a], |[a]| ops::$name(a));)+
    };
}

struct Numbers<T>(Of<T>);

impl<T: Element + Number> Check for Numbers<T> {
    fn check<S: Simd>(&self, simd: S, random: &mut Random) {
        let (a, b, c) = (random.lanes::<T>(), random.lanes::<T>(), random.lanes::<T>());
        binary!(simd a b: add sub mul div rem min max);
        binary!(simd a a: sub min max);
        unary!(simd a: neg abs);
        let got = simd.load(&a).fma(simd.load(&b), simd.load(&c)).to_lanes();
        same("fma", S::NAME, got, [&a, &b, &c], |[a, b, c]| ops::fma(a, b, c));
    }
}

struct Floats<T>(Of<T>);

impl<T: Element + Float> Check for Floats<T> {
    fn check<S: Simd>(&self, simd: S, random: &mut Random) {
        let a = random.lanes::<T>();
        unary!(simd a: sqrt exp ln);
    }
}

struct Bitwise<T>(Of<T>);

impl<T: Element + Bits> Check for Bitwise<T> {
    fn check<S: Simd>(&self, simd: S, random: &mut Random) {
        let (a, b) = (random.lanes::<T>(), random.lanes::<T>());
        binary!(simd a b: and or xor);
        unary!(simd a: not);
    }
}

struct Scalars<T>(Of<T>);

impl<T: Element> Check for Scalars<T> {
    fn check<S: Simd>(&self, simd: S, random: &mut Random) {
        let (a, mut b) = (random.lanes::<T>(), random.lanes::<T>());
        for l in 0..LANES {
            if random.below(4) == 0 {
                b[l] = a[l];
            }
        }
        let (x, y) = (simd.load(&a), simd.load(&b));
        same_mask("eq", S::NAME, x.eq(y), &a, &b, ops::eq);
        same_mask("ne", S::NAME, x.ne(y), &a, &b, ops::ne);
        same_mask("lt", S::NAME, x.lt(y), &a, &b, ops::lt);
        same_mask("le", S::NAME, x.le(y), &a, &b, ops::le);
        same_mask("gt", S::NAME, x.gt(y), &a, &b, ops::gt);
        same_mask("ge", S::NAME, x.ge(y), &a, &b, ops::ge);
        let mask = random.bits() as Mask;
        let chosen = S::V::<T>::select(mask, x, y).to_lanes();
        let mut of_both = b;
        (0..LANES).filter(|l| (mask >> l) & 1 == 1).for_each(|l| of_both[l] = a[l]);
        same("select", S::NAME, chosen, [&of_both], |[x]| x);
        same("splat", S::NAME, simd.splat(a[3]).to_lanes(), [&[a[3]; LANES]], |[x]| x);
        same("zero", S::NAME, simd.zero::<T>().to_lanes(), [&a], |_| T::default());
        assert_eq!(simd.mask(simd.bools(mask)), mask);
    }
}

struct Shifts<T, U>(Of<(T, U)>);

impl<T: Element + Integer, U: Element + Integer> Check for Shifts<T, U> {
    fn check<S: Simd>(&self, simd: S, random: &mut Random) {
        let (a, n) = (random.lanes::<T>(), random.lanes::<U>());
        let (x, y) = (simd.load(&a), simd.load(&n));
        let (left, right) = (simd.shl(x, y).to_lanes(), simd.shr(x, y).to_lanes());
        for l in 0..LANES {
            assert!(left[l].bits() == ops::shl(a[l], n[l]).bits(), "{:?} << {:?} at {}", a[l], n[l], S::NAME);
            assert!(right[l].bits() == ops::shr(a[l], n[l]).bits(), "{:?} >> {:?} at {}", a[l], n[l], S::NAME);
        }
    }
}

struct Casts<T, U>(Of<(T, U)>);

impl<T: Element + CastTo<U>, U: Element> Check for Casts<T, U> {
    fn check<S: Simd>(&self, simd: S, random: &mut Random) {
        let a = random.lanes::<T>();
        same_of("cast", S::NAME, simd.cast::<T, U>(simd.load(&a)).to_lanes(), &a, ops::cast);
    }
}

#[test]
fn numbers() {
    of!(Numbers: f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64);
}

#[test]
fn floats() {
    of!(Floats: f16 bf16 f32 f64);
}

#[test]
fn bits() {
    of!(Bitwise: i8 i16 i32 i64 u8 u16 u32 u64 bool);
}

#[test]
fn scalars() {
    of!(Scalars: f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool);
}

macro_rules! pairs {
    ($check:ident: $($from:ident)+ => $to:tt) => {
        $(pairs!(@one $check $from $to);)+
    };
    (@one $check:ident $from:ident ($($to:ident)+)) => {
        $(check($check(Of::<($from, $to)>(std::marker::PhantomData)));)+
    };
}

#[test]
fn shifts() {
    pairs!(Shifts: i8 i16 i32 i64 u8 u16 u32 u64 => (i8 i32 i64 u8 u16 u32 u64));
}

#[test]
fn casts() {
    pairs!(Casts: f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 => (f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64));
    pairs!(Casts: bool => (i8 i16 i32 i64 u8 u16 u32 u64 bool));
}
