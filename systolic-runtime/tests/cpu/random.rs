//! Random numbers, with many edge cases.
use systolic_arith::Scalar;
use systolic_runtime::emitted::cpu::LANES;

/// A small generator, with the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// Returns a number below a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound
    }

    /// Returns a number from low to high, inclusive.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }

    pub fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }

    /// Returns a value of any type: limits of the type, small numbers, floats of moderate size, or any bits.
    pub fn value<T: Scalar>(&mut self) -> T {
        let width = T::TYPE.bits();
        let sign = 1u64 << (width - 1);
        let infinity = match T::TYPE.name() {
            "f16" => 0x7c00,
            "bf16" => 0x7f80,
            "f32" => 0x7f80_0000,
            "f64" => 0x7ff0_0000_0000_0000,
            _ => sign - 1,
        };
        // For floats, the bits of 1.0; numbers with a similar exponent have a moderate size.
        let one = (infinity >> 1) & infinity & !((infinity >> 1) & !infinity);
        let bits = match self.below(8) {
            0 => self.one_of(&[0, sign, infinity, infinity | sign, 1, sign | 1, u64::MAX]),
            // Infinity, signalling and quiet NaN, the largest, the smallest normal and the largest subnormal number.
            1 => {
                let smallest = infinity & infinity.wrapping_neg();
                let near = self.one_of(&[
                    infinity,
                    infinity + 1,
                    infinity - 1,
                    infinity | (smallest >> 1),
                    smallest,
                    smallest - 1,
                ]);
                near ^ self.one_of(&[0, sign])
            }
            2 => self.below(70),
            3 => self.below(70).wrapping_neg(),
            4 | 5 => {
                let noise = self.bits() >> (64 - width);
                (one.wrapping_add(noise % (infinity >> 4).max(1)).wrapping_sub(infinity >> 5)) ^ self.one_of(&[0, sign])
            }
            _ => self.bits(),
        };
        T::of_bits(bits)
    }

    pub fn lanes<T: Scalar>(&mut self) -> [T; LANES] {
        std::array::from_fn(|_| self.value())
    }
}
