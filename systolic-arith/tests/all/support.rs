//! Random numbers, edge values, and slow but simple references.

use systolic_arith::Type;

/// A small random number generator, the same on every run.
pub struct Random(pub u64);

impl Random {
    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 29)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ (mixed >> 32)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// A number from 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// An `f32` of random bits; half of the time its exponent is near that of 1.
    pub fn single(&mut self) -> f32 {
        let bits = self.bits() as u32;
        if self.bits() & 1 == 0 {
            return f32::from_bits(bits);
        }
        let exponent = 127 - 20 + self.below(40) as u32;
        f32::from_bits((bits & 0x807f_ffff) | (exponent << 23))
    }
}

/// Edge values of every type: zeros, ones, extremes, and the floats around each limit.
pub fn edges(ty: Type) -> Vec<u64> {
    let width = ty.bits();
    let mask = u64::MAX >> (64 - width);
    let top = 1_u64 << (width - 1);
    let mut magnitudes = vec![0, 1, 2, 3, 7, width as u64, top - 1, top - 2, top >> 1];
    let fraction = match ty {
        Type::F16 => 10,
        Type::Bf16 => 7,
        Type::F32 => 23,
        Type::F64 => 52,
        _ => 0,
    };
    if fraction > 0 {
        let infinity = (top - 1) >> fraction << fraction;
        let one = (infinity >> 1) >> fraction << fraction;
        let least_normal = 1 << fraction;
        for base in [infinity, one, least_normal, one + (3 << fraction)] {
            magnitudes.extend([base - 1, base, base + 1]);
        }
        magnitudes.push(infinity | (1 << (fraction - 1)));
    }
    let mut all: Vec<u64> =
        magnitudes.into_iter().flat_map(|bits| [bits, bits | top, bits.wrapping_neg() & mask]).collect();
    all.sort();
    all.dedup();
    all
}

/// A 16-bit float format as a table of its magnitudes, indexed by the bits.
pub struct Format {
    magnitudes: Vec<f64>,
    infinity: u16,
}

impl Format {
    pub fn f16() -> Format {
        Format::new(10, 15)
    }

    pub fn bf16() -> Format {
        Format::new(7, 127)
    }

    fn new(fraction: u32, bias: i32) -> Format {
        let infinity = 0x7fff_u16 >> fraction << fraction;
        // One entry more than the finite ones: the number that would follow instead of infinity.
        let magnitudes = (0..=infinity)
            .map(|bits| {
                let field = (bits >> fraction) as i32;
                let rest = (bits & ((1 << fraction) - 1)) as f64;
                let hidden = if field == 0 { 0.0 } else { (1_u32 << fraction) as f64 };
                (hidden + rest) * 2_f64.powi(field.max(1) - bias - fraction as i32)
            })
            .collect();
        Format { magnitudes, infinity }
    }

    /// The value of bits that are not NaN.
    pub fn value(&self, bits: u16) -> f64 {
        let index = bits & 0x7fff;
        let magnitude = match index == self.infinity {
            true => f64::INFINITY,
            false => self.magnitudes[index as usize],
        };
        if bits & 0x8000 == 0 { magnitude } else { -magnitude }
    }

    pub fn is_nan(&self, bits: u16) -> bool {
        bits & 0x7fff > self.infinity
    }

    /// The magnitude halfway between these bits and the next.
    pub fn midpoint(&self, bits: u16) -> f64 {
        (self.magnitudes[bits as usize] + self.magnitudes[bits as usize + 1]) / 2.0
    }

    /// The bits of all finite magnitudes.
    pub fn finite(&self) -> std::ops::Range<u16> {
        0..self.infinity
    }

    /// Whether `bits` is `exact` rounded to nearest even, or both are NaN.
    pub fn is_rounded(&self, bits: u16, exact: f64) -> bool {
        if exact.is_nan() {
            return self.is_nan(bits);
        }
        bits == self.round(exact)
    }

    /// The nearest value, found by search.
    pub fn round(&self, exact: f64) -> u16 {
        let sign = if exact.is_sign_negative() { 0x8000 } else { 0 };
        let magnitude = exact.abs();
        let below = self.magnitudes.partition_point(|&m| m <= magnitude) as u16 - 1;
        if below == self.infinity {
            return sign | self.infinity;
        }
        let up = match magnitude.total_cmp(&self.midpoint(below)) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => below & 1,
            std::cmp::Ordering::Greater => 1,
        };
        sign | (below + up)
    }
}

/// The fused multiply-add of `f32`s by way of `f64`: the product is exact there and the sum is rounded to odd, so the
/// result is rounded only once.
pub fn fused(a: f32, b: f32, c: f32) -> f32 {
    let (product, c) = (a as f64 * b as f64, c as f64);
    let sum = product + c;
    if !sum.is_finite() {
        return sum as f32;
    }
    let back = sum - product;
    let lost = (product - (sum - back)) + (c - back);
    let bits = sum.to_bits();
    let odd = match lost {
        0.0 => bits,
        _ if bits & 1 == 1 => bits,
        _ if (lost > 0.0) == (sum > 0.0) => bits + 1,
        _ => bits - 1,
    };
    f64::from_bits(odd) as f32
}

/// Whether both are NaN or have the same bits.
pub fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}
