//! Operands as bits: special values, values near a rounding boundary, and random ones from a fixed seed.
use systolic_arith::{Type, Value};

/// Values of one type for use as operands.
pub struct Pool {
    pub name: String,
    pub ty: Type,
    pub values: Vec<u64>,
}

/// The sizes of the pools.
#[derive(Clone, Copy)]
pub struct Scale {
    /// For pairs of operands.
    pub few: usize,
    /// For operations on one operand.
    pub many: usize,
    /// For types of at most this many bits, operations on one operand are tested with all values.
    pub whole: u32,
}

/// The values for pairs of operands.
pub fn few(ty: Type, scale: Scale) -> Pool {
    Pool { name: format!("few_{ty}"), ty, values: fill(ty, short(ty), scale.few) }
}

/// The values for operations on one operand.
pub fn many(ty: Type, scale: Scale) -> Pool {
    let all = ty.bits() <= scale.whole && ty != Type::Bool;
    let values = if all { (0..1 << ty.bits()).collect() } else { fill(ty, long(ty), scale.many) };
    Pool { name: format!("many_{ty}"), ty, values }
}

/// Indices of an axis, some of them far outside. Those of `i32` stay in the range that emitted code may use.
pub fn indices(ty: Type) -> Pool {
    let far: &[i64] = if ty == Type::I32 { &[(1 << 30) - 1] } else { &[(1 << 30) - 1, 1 << 40, i64::MAX - 1] };
    let near = (-20..40).chain([63, 64, 65, 127, 999, 1000, 1001, 1999, 2001]);
    let values = near.chain(far.iter().flat_map(|i| [*i, -i, -i - 1]));
    Pool { name: format!("indices_{ty}"), ty, values: values.map(|i| cut(ty, i as u64)).collect() }
}

/// Lengths of an axis.
pub fn lengths(ty: Type) -> Pool {
    let far = if ty == Type::I32 { (1 << 30) - 1 } else { 1 << 40 };
    Pool { name: format!("lengths_{ty}"), ty, values: vec![1, 2, 3, 4, 5, 7, 13, 32, 64, 1000, far] }
}

/// The given values, then random ones up to `count`.
fn fill(ty: Type, mut values: Vec<u64>, count: usize) -> Vec<u64> {
    let mut random = Random(ty.bits().into());
    if ty == Type::Bool {
        return vec![0, 1];
    }
    values.truncate(count);
    while values.len() < count {
        values.push(random.value(ty));
    }
    values
}

/// The special values for pairs.
fn short(ty: Type) -> Vec<u64> {
    if let Some(float) = Layout::of(ty) {
        return both_signs(ty, &float.special());
    }
    let top = ty.bits() - 1;
    let small = [0, 1, 2, 3, 7, u64::MAX, u64::MAX - 1, u64::MAX - 2, 1 << top, (1 << top) + 1, (1 << top) - 1];
    let widths = [8, 15, 16, 31, 32, 33, 63, 64, 65];
    small.iter().chain(&widths).map(|x| cut(ty, *x)).collect()
}

/// The values of `short`, and those at which casts round or saturate.
fn long(ty: Type) -> Vec<u64> {
    let mut values = short(ty);
    if ty.is_float() {
        values.extend(both_signs(ty, &limits(ty)));
        values.extend(both_signs(ty, &ties(ty)));
    } else {
        values.extend(integer_ties(ty));
    }
    values
}

/// Values around the limits of the integer types.
fn limits(ty: Type) -> Vec<u64> {
    let mut values = Vec::new();
    for power in [7, 8, 15, 16, 31, 32, 63, 64] {
        let edge = of_f64(ty, 2_f64.powi(power));
        values.extend([edge - 1, edge, edge + 1]);
        values.extend([-1.0, -0.5, 0.5, 1.0].map(|d| of_f64(ty, 2_f64.powi(power) + d)));
    }
    values.extend([65504.0, 65519.9, 65520.0, 65536.0, 0.5, 0.999, 1.5].map(|x| of_f64(ty, x)));
    values
}

/// Midpoints between neighbouring values of `f16` or `bf16`, and values next to them.
fn ties(ty: Type) -> Vec<u64> {
    let mut random = Random(77);
    let mut values = Vec::new();
    for k in 0..240 {
        let short = [Type::F16, Type::Bf16][k % 2];
        let low = random.next() & if k % 3 == 0 { 0x03ff } else { 0x7fff };
        let [low, high] = [low, low + 1].map(|bits| to_f64(Value::from_bits(short, bits)));
        let middle = of_f64(ty, f64::midpoint(low, high));
        values.extend([middle, middle.saturating_sub(1), middle + 1]);
    }
    values
}

/// Integers halfway between neighbouring values of `bf16` or `f16`, and integers next to them.
fn integer_ties(ty: Type) -> Vec<u64> {
    let mut random = Random(78);
    let mut values = Vec::new();
    for k in 0..200_u64 {
        let kept = [9, 12, 25][k as usize % 3];
        let odd = (random.next() & ((1 << kept) - 1)) | 1 | (1 << (kept - 1));
        let tie = odd << (k % (65 - kept));
        let signed = if k % 2 == 0 { tie } else { tie.wrapping_neg() };
        values.extend([signed, signed.wrapping_add(1), signed.wrapping_sub(1)].map(|x| cut(ty, x)));
    }
    values
}

/// The bit layout of a float type.
struct Layout {
    fraction: u32,
    bias: u64,
}

impl Layout {
    fn of(ty: Type) -> Option<Layout> {
        let (fraction, bias) = match ty {
            Type::F16 => (10, 15),
            Type::Bf16 => (7, 127),
            Type::F32 => (23, 127),
            Type::F64 => (52, 1023),
            _ => return None,
        };
        Some(Layout { fraction, bias })
    }

    /// Zero, the limits of the subnormals and normals, infinity, quiet and signalling NaNs, one and its neighbours.
    fn special(&self) -> Vec<u64> {
        let unit = 1 << self.fraction;
        let infinity = (2 * self.bias + 1) * unit;
        let one = self.bias * unit;
        let quiet = infinity + unit / 2;
        vec![0, 1, unit - 1, unit, infinity - 1, infinity, infinity + 1, quiet, one, one - 1, one + 1, one + unit / 2]
    }
}

/// Values of a float type with and without the sign.
fn both_signs(ty: Type, values: &[u64]) -> Vec<u64> {
    values.iter().flat_map(|x| [cut(ty, *x), cut(ty, x ^ (1 << (ty.bits() - 1)))]).collect()
}

fn to_f64(value: Value) -> f64 {
    f64::from_bits(value.cast(Type::F64).map_or(0, Value::bits))
}

fn of_f64(ty: Type, x: f64) -> u64 {
    Value::F64(x).cast(ty).map_or(0, Value::bits)
}

/// The low bits, as many as the type has.
fn cut(ty: Type, bits: u64) -> u64 {
    bits & (u64::MAX >> (64 - ty.bits()))
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Any bits; or a float near one, or an integer of few bits, so that operands are often equal or close.
    fn value(&mut self, ty: Type) -> u64 {
        let bits = self.next();
        match (self.next() % 3, Layout::of(ty)) {
            (0, _) => cut(ty, bits),
            (_, Some(float)) => {
                let exponent = float.bias - 6 + self.next() % 13;
                let fraction = bits & ((1 << float.fraction) - 1);
                (exponent << float.fraction) | fraction | ((bits >> 63) << (ty.bits() - 1))
            }
            (_, None) => cut(ty, (bits as i64 >> (self.next() % 63)) as u64),
        }
    }
}
