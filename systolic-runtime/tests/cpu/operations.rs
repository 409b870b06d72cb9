//! Tests every operation of every type, bit by bit.
use crate::random::Random;
use std::sync::Mutex;
use systolic_arith::{Bits, CastTo, Float, Integer, Number, Scalar, bf16, f16, ops};
use systolic_runtime::emitted::Failure;
use systolic_runtime::emitted::cpu::{ALL, Block, Element, LANES, Level, Mask, Scratch, Simd, Vector, launch_on};

const ROUNDS: i64 = if cfg!(debug_assertions) { 150 } else { 3000 };
const LAST: [i64; 3] = [0, 0, ROUNDS - 1];

/// The position of a vector's lanes in the warp.
#[derive(Clone, Copy)]
struct Group {
    level: &'static str,
    first: usize,
    width: usize,
}

impl Group {
    fn of<S: Simd>(simd: S) -> Group {
        Group { level: S::NAME, first: simd.first(), width: S::WIDTH }
    }

    fn lanes(self) -> std::ops::Range<usize> {
        self.first..self.first + self.width
    }
}

/// Not inlined, and with function pointers, to save compile time: there are hundreds of types and operations.
#[inline(never)]
fn same<T: Scalar, const N: usize>(
    what: &str,
    group: Group,
    got: [T; LANES],
    lanes: [&[T; LANES]; N],
    f: fn([T; N]) -> T,
) {
    let level = group.level;
    for (l, got) in group.lanes().zip(got) {
        let operands = lanes.map(|x| x[l]);
        let (got, expected) = (got.value(), f(operands).value());
        assert!(got.same_bits(expected), "{what} {operands:?} at {level}, lane {l}: {got:?}, not {expected:?}");
    }
}

#[inline(never)]
fn same_of<T: Scalar, U: Scalar>(what: &str, group: Group, got: [U; LANES], lanes: &[T; LANES], f: fn(T) -> U) {
    let level = group.level;
    for (l, got) in group.lanes().zip(got) {
        let (got, expected) = (got.value(), f(lanes[l]).value());
        assert!(got.same_bits(expected), "{what} {:?} at {level}, lane {l}: {got:?}, not {expected:?}", lanes[l]);
    }
}

#[inline(never)]
fn same_mask<T: Scalar>(what: &str, group: Group, got: Mask, a: &[T; LANES], b: &[T; LANES], f: fn(T, T) -> bool) {
    let expected = group.lanes().enumerate().map(|(bit, l)| Mask::from(f(a[l], b[l])) << bit).sum::<Mask>();
    assert_eq!(got, expected, "{what} of {a:?}, {b:?} at {}, lanes {:?}", group.level, group.lanes());
}

/// A check of one type, which runs as a block of a launch.
trait Check: Sync {
    fn check<S: Simd>(&self, simd: S, random: &mut Random);
}

/// Runs a check in groups of the width that `LIVE` live values lead to.
struct Run<'a, C, const LIVE: usize>(&'a C);

impl<C: Check, const LIVE: usize> Block for Run<'_, C, LIVE> {
    const APART: bool = true;
    const LIVE: usize = LIVE;

    fn run<S: Simd>(&self, simd: S, [_, _, seed]: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        // A constant condition, so that the whole warp is compiled only once, for `LIVE` 0.
        if const { LIVE > 0 && S::WIDTH == LANES } {
            return Ok(());
        }
        self.0.check(simd, &mut Random(seed as u64));
        Ok(())
    }
}

/// Checks whole warps.
fn check(check: &impl Check) {
    for level in Level::available() {
        launch_on(level, &Run::<_, 0>(check), [0; 3], LAST).unwrap();
    }
}

/// Checks whole warps, and groups of every width. Unoptimised builds have no groups.
fn check_groups(checked: &impl Check) {
    check(checked);
    #[cfg(optimised)]
    for level in Level::available() {
        launch_on(level, &Run::<_, 5>(checked), [0; 3], LAST).unwrap();
        launch_on(level, &Run::<_, 16>(checked), [0; 3], LAST).unwrap();
    }
}

struct Of<T>(std::marker::PhantomData<fn() -> T>);

macro_rules! of {
    ($check:ident: $($type:ident)+) => {
        $(check_groups(&$check(Of::<$type>(std::marker::PhantomData)));)+
    };
}

macro_rules! binary {
    ($simd:ident $a:ident $b:ident: $($name:ident)+) => {
        $({
            let got = $simd.load(&$a).$name($simd.load(&$b)).to_lanes();
            same(stringify!($name), Group::of($simd), got, [&$a, &$b], |[a, b]| ops::$name(a, b));
        })+
    };
}

macro_rules! unary {
    ($simd:ident $a:ident: $($name:ident)+) => {
        $(same(stringify!($name), Group::of($simd), $simd.load(&$a).$name().to_lanes(), [&$a], |[a]| ops::$name(a));)+
    };
}

struct Numbers<T>(Of<T>);

impl<T: Element + Number> Check for Numbers<T> {
    fn check<S: Simd>(&self, simd: S, random: &mut Random) {
        let (a, b, c) = (random.lanes::<T>(), random.lanes::<T>(), random.lanes::<T>());
        binary!(simd a b: add sub mul div rem min max);
        for (what, by) in [("div_called", true), ("rem_called", false)] {
            let (x, y) = (simd.load(&a), simd.load(&b));
            let got = if by { x.div_called(y) } else { x.rem_called(y) }.to_lanes();
            let f: fn([T; 2]) -> T = if by { |[a, b]| ops::div(a, b) } else { |[a, b]| ops::rem(a, b) };
            same(what, Group::of(simd), got, [&a, &b], f);
        }
        for by in [b[0], b[1], c[0]] {
            let x = simd.load(&a);
            same("div_by", Group::of(simd), x.div_by(by).to_lanes(), [&a, &[by; LANES]], |[a, b]| ops::div(a, b));
            same("rem_by", Group::of(simd), x.rem_by(by).to_lanes(), [&a, &[by; LANES]], |[a, b]| ops::rem(a, b));
        }
        binary!(simd a a: sub min max);
        unary!(simd a: neg abs);
        let got = simd.load(&a).fma(simd.load(&b), simd.load(&c)).to_lanes();
        same("fma", Group::of(simd), got, [&a, &b, &c], |[a, b, c]| ops::fma(a, b, c));
    }
}

struct Floats<T>(Of<T>);

impl<T: Element + Float> Check for Floats<T> {
    fn check<S: Simd>(&self, simd: S, random: &mut Random) {
        let (a, b) = (random.lanes::<T>(), random.lanes::<T>());
        unary!(simd a: sqrt exp ln exp2 log2 sin cos tan atan sinh cosh tanh floor ceil round round_even trunc);
        binary!(simd a b: pow);
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
        same_mask("eq", Group::of(simd), x.eq(y), &a, &b, ops::eq);
        same_mask("ne", Group::of(simd), x.ne(y), &a, &b, ops::ne);
        same_mask("lt", Group::of(simd), x.lt(y), &a, &b, ops::lt);
        same_mask("le", Group::of(simd), x.le(y), &a, &b, ops::le);
        same_mask("gt", Group::of(simd), x.gt(y), &a, &b, ops::gt);
        same_mask("ge", Group::of(simd), x.ge(y), &a, &b, ops::ge);
        let (c, d) = (random.lanes::<T>(), random.lanes::<T>());
        let (v, w) = (simd.load(&c), simd.load(&d));
        macro_rules! choose {
            ($($name:ident by $compare:ident)+) => {
                $({
                    let mut chosen = d;
                    (0..LANES).filter(|l| ops::$compare(a[*l], b[*l])).for_each(|l| chosen[l] = c[l]);
                    same(stringify!($name), Group::of(simd), x.$name(y, v, w).to_lanes(), [&chosen], |[x]| x);
                })+
            };
        }
        choose! {
            choose_eq by eq choose_ne by ne choose_lt by lt choose_le by le choose_gt by gt choose_ge by ge
        }
        let mask = random.bits() as Mask;
        // Only the group's bits of a mask count.
        let chosen = S::V::<T>::select(mask >> simd.first(), x, y).to_lanes();
        let mut of_both = b;
        (0..LANES).filter(|l| (mask >> l) & 1 == 1).for_each(|l| of_both[l] = a[l]);
        same("select", Group::of(simd), chosen, [&of_both], |[x]| x);
        same("splat", Group::of(simd), simd.splat(a[3]).to_lanes(), [&[a[3]; LANES]], |[x]| x);
        same("zero", Group::of(simd), simd.zero::<T>().to_lanes(), [&a], |_| T::default());
        let of_group = (mask >> simd.first()) & (ALL >> (LANES - S::WIDTH));
        assert_eq!(simd.lanes(mask), of_group);
        assert_eq!(simd.mask(simd.bools(mask >> simd.first())), of_group);
    }
}

struct Shifts<T, U>(Of<(T, U)>);

impl<T: Element + Integer, U: Element + Integer> Check for Shifts<T, U> {
    fn check<S: Simd>(&self, simd: S, random: &mut Random) {
        let (a, n) = (random.lanes::<T>(), random.lanes::<U>());
        let (x, y) = (simd.load(&a), simd.load(&n));
        let (left, right) = (simd.shl(x, y).to_lanes(), simd.shr(x, y).to_lanes());
        for (l, (left, right)) in Group::of(simd).lanes().zip(left.into_iter().zip(right)) {
            assert!(left.bits() == ops::shl(a[l], n[l]).bits(), "{:?} << {:?} at {}", a[l], n[l], S::NAME);
            assert!(right.bits() == ops::shr(a[l], n[l]).bits(), "{:?} >> {:?} at {}", a[l], n[l], S::NAME);
        }
    }
}

struct Casts<T, U>(Of<(T, U)>);

impl<T: Element + CastTo<U>, U: Element> Check for Casts<T, U> {
    fn check<S: Simd>(&self, simd: S, random: &mut Random) {
        let a = random.lanes::<T>();
        same_of("cast", Group::of(simd), simd.cast::<T, U>(simd.load(&a)).to_lanes(), &a, ops::cast);
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
    ($run:ident $check:ident: $($from:ident)+ => $to:tt) => {
        $(pairs!(@one $run $check $from $to);)+
    };
    (@one $run:ident $check:ident $from:ident ($($to:ident)+)) => {
        $($run(&$check(Of::<($from, $to)>(std::marker::PhantomData)));)+
    };
}

#[test]
fn shifts() {
    pairs!(check Shifts: i8 i16 i32 i64 u8 u16 u32 u64 => (i8 i32 i64 u8 u16 u32 u64));
    // One type for every kind of register: all pairs in groups would take many minutes to compile.
    pairs!(check_groups Shifts: u8 i32 u32 i64 => (u8 i32));
}

#[test]
fn casts() {
    pairs!(check Casts: f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 => (f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64));
    pairs!(check Casts: bool => (i8 i16 i32 i64 u8 u16 u32 u64 bool));
    // As for shifts.
    pairs!(check_groups Casts: f32 f64 i32 u8 => (f32 f64 i32 i64 u8));
    pairs!(check_groups Casts: bool => (i32 bool));
}

/// Notes the groups of lanes that run: the first lane and the number of lanes.
struct Widths<const APART: bool, const LIVE: usize>(Mutex<Vec<(usize, usize)>>);

impl<const APART: bool, const LIVE: usize> Block for Widths<APART, LIVE> {
    const APART: bool = APART;
    const LIVE: usize = LIVE;

    fn run<S: Simd>(&self, simd: S, _: [i64; 3], _: &Scratch) -> Result<(), Failure> {
        self.0.lock().unwrap().push((simd.first(), S::WIDTH));
        Ok(())
    }
}

fn widths<const APART: bool, const LIVE: usize>(level: Level) -> Vec<(usize, usize)> {
    let widths = Widths::<APART, LIVE>(Mutex::default());
    launch_on(level, &widths, [0; 3], [0; 3]).unwrap();
    widths.0.into_inner().unwrap()
}

#[test]
fn groups_are_as_wide_as_the_registers_hold() {
    let by = |width: usize| (0..LANES / width).map(|group| (width * group, width)).collect::<Vec<_>>();
    for level in Level::available() {
        let natural = match level {
            // Unoptimised builds have only the plain level.
            _ if cfg!(not(optimised)) => [32; 4],
            Level::Plain => [32; 4],
            Level::Neon => [32, 16, 8, 8],
            Level::Avx2 => [32, 16, 8, 8],
            Level::Avx512 => [32, 32, 32, 16],
        };
        assert_eq!(widths::<false, 100>(level), by(32), "{level:?}");
        assert_eq!(widths::<true, 3>(level), by(natural[0]), "{level:?}");
        assert_eq!(widths::<true, 7>(level), by(natural[1]), "{level:?}");
        assert_eq!(widths::<true, 15>(level), by(natural[2]), "{level:?}");
        assert_eq!(widths::<true, 16>(level), by(natural[3]), "{level:?}");
    }
}
