//! Operands: values that often cause errors, and any others.
use systolic::ndarray::Array1;
use systolic::{bf16, f16};
use systolic_tests::{Data, Sample};

/// An element type with values that often cause errors.
pub trait Special: Sample + Copy {
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
pub fn operands<T: Special, const K: usize>(n: usize) -> [Array1<T>; K] {
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
pub const SIZES: [usize; 9] = [1, 2, 3, 7, 31, 32, 33, 65, 1009];

/// The size for one instance of each kernel.
pub const LARGE: usize = 100_003;

/// Applies a function to the elements of one operand.
pub fn map1<A: Copy, R>(a: &Array1<A>, f: impl Fn(A) -> R) -> Array1<R> {
    a.iter().map(|&a| f(a)).collect()
}

/// Applies a function to the elements of two operands.
pub fn map2<A: Copy, B: Copy, R>(a: &Array1<A>, b: &Array1<B>, f: impl Fn(A, B) -> R) -> Array1<R> {
    a.iter().zip(b).map(|(&a, &b)| f(a, b)).collect()
}

/// Applies a function to the elements of three operands.
pub fn map3<A: Copy, R>(a: &Array1<A>, b: &Array1<A>, c: &Array1<A>, f: impl Fn(A, A, A) -> R) -> Array1<R> {
    (0..a.len()).map(|i| f(a[i], b[i], c[i])).collect()
}

/// Applies a function to the elements of four operands.
pub fn map4<A: Copy, R>(x: &[Array1<A>; 4], f: impl Fn(A, A, A, A) -> R) -> Array1<R> {
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
