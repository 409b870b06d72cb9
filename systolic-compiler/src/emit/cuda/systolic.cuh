// What emitted CUDA C++ stands on: the arithmetic of `systolic-arith`, bit by bit, and the ways to move values.
//
// Types and operations have the names they have in Rust, in `namespace systolic`. Four names are words of C++ and get
// an underscore: `and_`, `or_`, `xor_`, `not_`. All operands of an operation have one type, but for the count of a
// shift; nothing is converted silently. Only the sign and payload of a NaN are left open.
//
// No header is included: nvcc brings all that is used. Nothing here depends on the flag -fmad, as sums and products are
// intrinsics that are never contracted; fast-math and flushing to zero are refused below.
//
// The header is C++17 for a host compiler too, so that its bits can be tested without a GPU (with -ffp-contract=off).
// What differs there, and so is seen on a GPU only, is `namespace machine`, and nothing else:
//   - bits of floats         intrinsics         a copy of the bytes
//   - + - * / sqrt fma abs   intrinsics         plain operators and builtins
//   - rounding to integers   CUDA's functions   builtins
//   - upper half of products `__umul64hi`       integers of 128 bits
//   - f16 from and to f32    PTX `cvt`          integer operations
//   - min, max               PTX `min`, `max`   the rule in words of C++
//   - reads of inputs        `__ldg`            a plain read
//   - shuffle                `__shfl_sync`      there is none
#ifndef SYSTOLIC_CUH
#define SYSTOLIC_CUH

#ifdef __CUDACC__
#define SYSTOLIC_INLINE __device__ __forceinline__
#else
#define SYSTOLIC_INLINE inline
#endif

#if defined(__USE_FAST_MATH__) || defined(__FAST_MATH__) || (defined(__CUDA_FTZ) && __CUDA_FTZ)
#error "the bits of kernels are defined without fast-math and with subnormals"
#endif

namespace systolic {

// ------------------------------------------------------------------------------------------------ types

using f32 = float;
using f64 = double;
using i8 = signed char;
using i16 = short;
using i32 = int;
using i64 = long long;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;

// The 16-bit floats only store: every operation widens to f32, computes there and rounds once.
struct f16 {
    u16 bits;
};
struct bf16 {
    u16 bits;
};

static_assert(sizeof(i8) == 1 && sizeof(i16) == 2 && sizeof(i32) == 4 && sizeof(i64) == 8, "the widths of integers");
static_assert(sizeof(f16) == 2 && sizeof(f32) == 4 && sizeof(f64) == 8 && sizeof(bool) == 1, "the other widths");

template <typename A, typename B>
constexpr bool same = false;
template <typename A>
constexpr bool same<A, A> = true;

template <typename T>
constexpr bool is_short_float = same<T, f16> || same<T, bf16>;
template <typename T>
constexpr bool is_float = is_short_float<T> || same<T, f32> || same<T, f64>;
template <typename T>
constexpr bool is_signed_integer = same<T, i8> || same<T, i16> || same<T, i32> || same<T, i64>;
template <typename T>
constexpr bool is_integer = is_signed_integer<T> || same<T, u8> || same<T, u16> || same<T, u32> || same<T, u64>;
template <typename T>
constexpr bool is_number = is_float<T> || is_integer<T>;
template <typename T>
constexpr bool has_bits = is_integer<T> || same<T, bool>;

// The unsigned integer of so many bytes.
template <int BYTES>
struct Unsigned;
template <>
struct Unsigned<1> {
    using Type = u8;
};
template <>
struct Unsigned<2> {
    using Type = u16;
};
template <>
struct Unsigned<4> {
    using Type = u32;
};
template <>
struct Unsigned<8> {
    using Type = u64;
};
template <typename T>
using Bits = typename Unsigned<sizeof(T)>::Type;

// Where integers wrap: unsigned, and not narrower than u32, as the product of two u16 would overflow the int that C++
// promotes them to.
template <typename T>
using Wrap = typename Unsigned<(sizeof(T) < 4 ? 4 : sizeof(T))>::Type;

// ------------------------------------------------------------------------------------------------ machine

namespace machine {

#ifdef __CUDACC__

SYSTOLIC_INLINE u32 to_bits(f32 x) { return __float_as_uint(x); }
SYSTOLIC_INLINE u64 to_bits(f64 x) { return static_cast<u64>(__double_as_longlong(x)); }
SYSTOLIC_INLINE f32 of_bits(u32 bits) { return __uint_as_float(bits); }
SYSTOLIC_INLINE f64 of_bits(u64 bits) { return __longlong_as_double(static_cast<i64>(bits)); }

SYSTOLIC_INLINE f32 add(f32 a, f32 b) { return __fadd_rn(a, b); }
SYSTOLIC_INLINE f64 add(f64 a, f64 b) { return __dadd_rn(a, b); }
SYSTOLIC_INLINE f32 sub(f32 a, f32 b) { return __fsub_rn(a, b); }
SYSTOLIC_INLINE f64 sub(f64 a, f64 b) { return __dsub_rn(a, b); }
SYSTOLIC_INLINE f32 mul(f32 a, f32 b) { return __fmul_rn(a, b); }
SYSTOLIC_INLINE f64 mul(f64 a, f64 b) { return __dmul_rn(a, b); }
SYSTOLIC_INLINE f32 div(f32 a, f32 b) { return __fdiv_rn(a, b); }
SYSTOLIC_INLINE f64 div(f64 a, f64 b) { return __ddiv_rn(a, b); }
SYSTOLIC_INLINE f32 sqrt(f32 a) { return __fsqrt_rn(a); }
SYSTOLIC_INLINE f64 sqrt(f64 a) { return __dsqrt_rn(a); }
SYSTOLIC_INLINE f32 fma(f32 a, f32 b, f32 c) { return __fmaf_rn(a, b, c); }
SYSTOLIC_INLINE f64 fma(f64 a, f64 b, f64 c) { return __fma_rn(a, b, c); }

SYSTOLIC_INLINE f32 abs(f32 a) { return ::fabsf(a); }
SYSTOLIC_INLINE f64 abs(f64 a) { return ::fabs(a); }
SYSTOLIC_INLINE f32 floor(f32 a) { return ::floorf(a); }
SYSTOLIC_INLINE f64 floor(f64 a) { return ::floor(a); }
SYSTOLIC_INLINE f32 ceil(f32 a) { return ::ceilf(a); }
SYSTOLIC_INLINE f64 ceil(f64 a) { return ::ceil(a); }
SYSTOLIC_INLINE f32 round(f32 a) { return ::roundf(a); }
SYSTOLIC_INLINE f64 round(f64 a) { return ::round(a); }
SYSTOLIC_INLINE f32 round_even(f32 a) { return ::rintf(a); }
SYSTOLIC_INLINE f64 round_even(f64 a) { return ::rint(a); }
SYSTOLIC_INLINE f32 trunc(f32 a) { return ::truncf(a); }
SYSTOLIC_INLINE f64 trunc(f64 a) { return ::trunc(a); }

// The upper half of a product.
SYSTOLIC_INLINE u64 upper_product(u64 a, u64 b) { return __umul64hi(a, b); }

SYSTOLIC_INLINE f32 widen(f16 x) {
    f32 wide;
    asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(x.bits));
    return wide;
}

SYSTOLIC_INLINE f16 narrow(f32 x) {
    f16 rounded;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(rounded.bits) : "f"(x));
    return rounded;
}

// PTX gives the other one where one is NaN, and says -0 < +0. `fmin` promises no order of zeros. Of integers assembly, too: else the
// negative of the least is made the greatest of negatives.
#define SYSTOLIC_EXTREMES(T, TYPE, LETTER)                                                               \
    SYSTOLIC_INLINE T min(T a, T b) {                                                                    \
        T least;                                                                                         \
        asm("min." TYPE " %0, %1, %2;" : "=" LETTER(least) : LETTER(a), LETTER(b));                      \
        return least;                                                                                    \
    }                                                                                                    \
    SYSTOLIC_INLINE T max(T a, T b) {                                                                    \
        T most;                                                                                          \
        asm("max." TYPE " %0, %1, %2;" : "=" LETTER(most) : LETTER(a), LETTER(b));                       \
        return most;                                                                                     \
    }
SYSTOLIC_EXTREMES(f32, "f32", "f")
SYSTOLIC_EXTREMES(f64, "f64", "d")
SYSTOLIC_EXTREMES(i32, "s32", "r")
SYSTOLIC_EXTREMES(i64, "s64", "l")
#undef SYSTOLIC_EXTREMES

SYSTOLIC_INLINE u32 negative(u32 x) {
    u32 less;
    asm("{ .reg .u32 t; add.u32 t, %1, -1; xor.b32 %0, t, -1; }" : "=r"(less) : "r"(x));
    return less;
}

// All bytes of x in their order.
SYSTOLIC_INLINE i32 veiled(i32 x) {
    i32 y;
    asm("prmt.b32 %0, %1, %1, 0x3210;" : "=r"(y) : "r"(x));
    return y;
}

// The value of a narrow integer, by an operation that hides how wide it was.
SYSTOLIC_INLINE i32 extended(u32 x) {
    i32 y;
    asm("mov.b32 %0, %1;" : "=r"(y) : "r"(x));
    return y;
}

SYSTOLIC_INLINE u32 add_either(u32 a, bool which, u32 b, u32 c) {
    u32 sum;
    asm("{ .reg .pred p; setp.ne.u32 p, %2, 0; add.u32 %0, %1, %4; @p add.u32 %0, %1, %3; }"
        : "=&r"(sum)
        : "r"(a), "r"(static_cast<u32>(which)), "r"(b), "r"(c));
    return sum;
}

template <typename Word>
SYSTOLIC_INLINE Word read(const Word* from) {
    return __ldg(from);
}

template <typename Word>
SYSTOLIC_INLINE Word shuffle(Word value, i32 lane) {
    return __shfl_sync(0xffffffffu, value, lane);
}

#else

template <typename To, typename From>
inline To copy(From x) {
    static_assert(sizeof(To) == sizeof(From), "as many bytes");
    To y;
    __builtin_memcpy(&y, &x, sizeof(To));
    return y;
}

inline u32 to_bits(f32 x) { return copy<u32>(x); }
inline u64 to_bits(f64 x) { return copy<u64>(x); }
inline f32 of_bits(u32 bits) { return copy<f32>(bits); }
inline f64 of_bits(u64 bits) { return copy<f64>(bits); }

template <typename F>
inline F add(F a, F b) {
    return a + b;
}
template <typename F>
inline F sub(F a, F b) {
    return a - b;
}
template <typename F>
inline F mul(F a, F b) {
    return a * b;
}
template <typename F>
inline F div(F a, F b) {
    return a / b;
}
inline f32 sqrt(f32 a) { return __builtin_sqrtf(a); }
inline f64 sqrt(f64 a) { return __builtin_sqrt(a); }
inline f32 fma(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
inline f64 fma(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
inline f32 abs(f32 a) { return __builtin_fabsf(a); }
inline f64 abs(f64 a) { return __builtin_fabs(a); }
inline f32 floor(f32 a) { return __builtin_floorf(a); }
inline f64 floor(f64 a) { return __builtin_floor(a); }
inline f32 ceil(f32 a) { return __builtin_ceilf(a); }
inline f64 ceil(f64 a) { return __builtin_ceil(a); }
inline f32 round(f32 a) { return __builtin_roundf(a); }
inline f64 round(f64 a) { return __builtin_round(a); }
inline f32 round_even(f32 a) { return __builtin_rintf(a); }
inline f64 round_even(f64 a) { return __builtin_rint(a); }
inline f32 trunc(f32 a) { return __builtin_truncf(a); }
inline f64 trunc(f64 a) { return __builtin_trunc(a); }

inline u64 upper_product(u64 a, u64 b) {
    return static_cast<u64>(static_cast<unsigned __int128>(a) * b >> 64);
}

inline f32 widen(f16 x) {
    const u32 magnitude = (x.bits & 0x7fffu) << 13;
    const bool ends = (x.bits & 0x7c00u) == 0x7c00u;
    // The biases differ by 112: an exact product with 2^112, which normalises subnormals too.
    const u32 wide = ends ? magnitude | 0x7f800000u : to_bits(of_bits(magnitude) * 0x1p112f);
    return of_bits((x.bits & 0x8000u) << 16 | wide);
}

inline f16 narrow(f32 x) {
    const u32 sign = to_bits(x) >> 16 & 0x8000u;
    const u32 magnitude = to_bits(x) & 0x7fffffffu;
    u32 rounded;
    if (magnitude > 0x7f800000u) {
        rounded = 0x7e00u;
    } else if (magnitude >= to_bits(65536.0f)) {
        rounded = 0x7c00u;
    } else if (magnitude < to_bits(0x1p-14f)) {
        // From 1/2 to 1 the last place of an f32 is that of the subnormals of f16: the sum rounds there.
        rounded = to_bits(of_bits(magnitude) + 0.5f) - to_bits(0.5f);
    } else {
        // The carry of nearly half a place, or of half where the place is odd, rounds up; past the largest it gives
        // infinity.
        rounded = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    }
    return f16{static_cast<u16>(sign | rounded)};
}

// Equal floats differ in at most the sign of zero: the smaller has it.
template <typename F>
inline F min(F a, F b) {
    return a == b ? of_bits(to_bits(a) | to_bits(b)) : a < b || b != b ? a : b;
}
template <typename F>
inline F max(F a, F b) {
    return a == b ? of_bits(to_bits(a) & to_bits(b)) : a > b || b != b ? a : b;
}

inline u32 negative(u32 x) {
    return ~(x - 1u);
}

inline i32 veiled(i32 x) {
    return x;
}
inline i32 extended(u32 x) {
    return static_cast<i32>(x);
}
inline u32 add_either(u32 a, bool which, u32 b, u32 c) {
    return a + (which ? b : c);
}
inline i32 min(i32 a, i32 b) {
    return b < a ? b : a;
}
inline i32 max(i32 a, i32 b) {
    return b > a ? b : a;
}
inline i64 min(i64 a, i64 b) {
    return b < a ? b : a;
}
inline i64 max(i64 a, i64 b) {
    return b > a ? b : a;
}

template <typename Word>
inline Word read(const Word* from) {
    return *from;
}

#endif

}  // namespace machine

// ------------------------------------------------------------------------------------------------ bits

// The bits of a value, zero-extended.
template <typename T>
SYSTOLIC_INLINE u64 to_bits(T x) {
    if constexpr (is_short_float<T>) {
        return x.bits;
    } else if constexpr (is_float<T>) {
        return machine::to_bits(x);
    } else {
        return static_cast<Bits<T>>(x);
    }
}

// The value of these bits; those above the width are ignored, for `bool` those above the lowest.
template <typename T>
SYSTOLIC_INLINE T of_bits(u64 bits) {
    if constexpr (same<T, bool>) {
        return (bits & 1u) != 0u;
    } else if constexpr (is_short_float<T>) {
        return T{static_cast<u16>(bits)};
    } else if constexpr (is_float<T>) {
        return machine::of_bits(static_cast<Bits<T>>(bits));
    } else {
        return static_cast<T>(bits);
    }
}

// ------------------------------------------------------------------------------------------------ 16-bit floats

// The exact f32 of a 16-bit float.
SYSTOLIC_INLINE f32 widen(f16 x) { return machine::widen(x); }
SYSTOLIC_INLINE f32 widen(bf16 x) { return machine::of_bits(static_cast<u32>(x.bits) << 16); }

// Rounds to nearest even.
template <typename To>
SYSTOLIC_INLINE To narrow(f32 x) {
    if constexpr (same<To, f16>) {
        return machine::narrow(x);
    } else {
        // Integer operations, as compute capability 7.5 has no instruction for it. The carry runs into the exponent
        // rightly, and never into the sign.
        const u32 bits = machine::to_bits(x);
        const u32 rounded = x != x ? (bits & 0x80000000u) | 0x7fc00000u : bits + 0x7fffu + (bits >> 16 & 1u);
        return To{static_cast<u16>(rounded >> 16)};
    }
}

// The f32 from which a 16-bit float rounds as from `x` itself: of the two around `x`, the one whose last bit is set,
// which says that there was more and makes no tie.
SYSTOLIC_INLINE f32 rounded_to_odd(f64 x) {
    const f32 near = static_cast<f32>(x);
    const u32 bits = machine::to_bits(near);
    const f64 wanted = x < 0.0 ? -x : x;
    const f64 found = near < 0.0f ? -static_cast<f64>(near) : static_cast<f64>(near);
    if ((bits & 1u) != 0u || wanted == found || x != x) {
        return near;
    }
    return machine::of_bits(wanted < found ? bits - 1u : bits | 1u);
}

// The same from an integer: leading bits, at least 17, and whether there was more. All products are exact.
template <typename T>
SYSTOLIC_INLINE f32 leading_bits(T x) {
    static_assert(is_integer<T>, "an integer");
    bool negative = false;
    Wrap<T> magnitude = static_cast<Wrap<T>>(x);
    if constexpr (is_signed_integer<T>) {
        negative = x < 0;
        magnitude = negative ? 0u - magnitude : magnitude;
    }
    f32 scale = 1.0f;
    while (magnitude >= 0x1000000u) {
        magnitude = magnitude >> 8 | static_cast<Wrap<T>>((magnitude & 0xffu) != 0u);
        scale = machine::mul(scale, 256.0f);
    }
    const f32 rounded = machine::mul(static_cast<f32>(magnitude), scale);
    return negative ? -rounded : rounded;
}

// ------------------------------------------------------------------------------------------------ comparisons

// What C++ compares: 16-bit floats are widened.
template <typename T>
SYSTOLIC_INLINE auto comparable(T x) {
    if constexpr (is_short_float<T>) {
        return widen(x);
    } else {
        return x;
    }
}

template <typename T>
SYSTOLIC_INLINE bool eq(T a, T b) {
    return comparable(a) == comparable(b);
}

template <typename T>
SYSTOLIC_INLINE bool ne(T a, T b) {
    return comparable(a) != comparable(b);
}

template <typename T>
SYSTOLIC_INLINE bool lt(T a, T b) {
    return comparable(a) < comparable(b);
}

template <typename T>
SYSTOLIC_INLINE bool le(T a, T b) {
    return comparable(a) <= comparable(b);
}

template <typename T>
SYSTOLIC_INLINE bool gt(T a, T b) {
    return comparable(a) > comparable(b);
}

template <typename T>
SYSTOLIC_INLINE bool ge(T a, T b) {
    return comparable(a) >= comparable(b);
}

// ------------------------------------------------------------------------------------------------ numbers

template <typename T>
SYSTOLIC_INLINE T add(T a, T b) {
    static_assert(is_number<T>, "a number");
    if constexpr (is_integer<T>) {
        return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
    } else if constexpr (is_short_float<T>) {
        return narrow<T>(machine::add(widen(a), widen(b)));
    } else {
        return machine::add(a, b);
    }
}

template <typename T>
SYSTOLIC_INLINE T sub(T a, T b) {
    static_assert(is_number<T>, "a number");
    if constexpr (is_integer<T>) {
        return static_cast<T>(static_cast<Wrap<T>>(a) - static_cast<Wrap<T>>(b));
    } else if constexpr (is_short_float<T>) {
        return narrow<T>(machine::sub(widen(a), widen(b)));
    } else {
        return machine::sub(a, b);
    }
}

template <typename T>
SYSTOLIC_INLINE T mul(T a, T b) {
    static_assert(is_number<T>, "a number");
    if constexpr (is_integer<T>) {
        return static_cast<T>(static_cast<Wrap<T>>(a) * static_cast<Wrap<T>>(b));
    } else if constexpr (is_short_float<T>) {
        return narrow<T>(machine::mul(widen(a), widen(b)));
    } else {
        return machine::mul(a, b);
    }
}

// a * b + c, rounded once; of 16-bit floats once in f32 and then once more.
template <typename T>
SYSTOLIC_INLINE T fma(T a, T b, T c) {
    static_assert(is_number<T>, "a number");
    if constexpr (is_integer<T>) {
        return add(mul(a, b), c);
    } else if constexpr (is_short_float<T>) {
        return narrow<T>(machine::fma(widen(a), widen(b), widen(c)));
    } else {
        return machine::fma(a, b, c);
    }
}

// -x of an integer, by other operations: ptxas 13.0 forgets the minus of an operand when it makes one instruction of
// max(max(a, -b), c) or of the like with min, for sm_90 and sm_100.
template <typename T>
SYSTOLIC_INLINE T negative(T x) {
    if constexpr (sizeof(T) <= 4) {
        return static_cast<T>(machine::negative(static_cast<u32>(x)));
    } else {
        return static_cast<T>(0u - static_cast<Wrap<T>>(x));
    }
}

template <typename T>
SYSTOLIC_INLINE T neg(T a) {
    static_assert(is_number<T>, "a number");
    if constexpr (is_integer<T>) {
        return negative<T>(a);
    } else if constexpr (is_short_float<T>) {
        return T{static_cast<u16>(a.bits ^ 0x8000u)};
    } else {
        return -a;
    }
}

template <typename T>
SYSTOLIC_INLINE T abs(T a) {
    static_assert(is_number<T>, "a number");
    if constexpr (is_signed_integer<T>) {
        return a < 0 ? neg(a) : a;
    } else if constexpr (is_integer<T>) {
        return a;
    } else if constexpr (is_short_float<T>) {
        return T{static_cast<u16>(a.bits & 0x7fffu)};
    } else {
        return machine::abs(a);
    }
}

// Integers truncate and give 0 for a zero divisor; the least one by -1 wraps, where C++ is undefined.
template <typename T>
SYSTOLIC_INLINE T div(T a, T b) {
    static_assert(is_number<T>, "a number");
    if constexpr (is_integer<T>) {
        if constexpr (is_signed_integer<T>) {
            if (b == -1) {
                return neg(a);
            }
        }
        return b == 0 ? T{0} : static_cast<T>(a / b);
    } else if constexpr (is_short_float<T>) {
        return narrow<T>(machine::div(widen(a), widen(b)));
    } else {
        return machine::div(a, b);
    }
}

// The exact remainder of f32 or f64 with the sign of the dividend, by long division of the fractions: as many rounds as
// the exponents differ. `fmod` of CUDA is said to be exact too, but this one is tested wherever C++ is compiled.
template <typename F>
SYSTOLIC_INLINE F float_rem(F a, F b) {
    using U = Bits<F>;
    constexpr int fraction = sizeof(F) == 4 ? 23 : 52;
    constexpr U sign = U{1} << (8 * sizeof(F) - 1);
    constexpr U one = U{1} << fraction;
    constexpr U infinity = static_cast<U>(sign - one);
    const U above = machine::to_bits(a) & static_cast<U>(~sign);
    const U below = machine::to_bits(b) & static_cast<U>(~sign);
    if (above >= infinity || below > infinity || below == 0u) {
        return machine::of_bits(static_cast<U>(infinity | one >> 1));
    }
    if (above < below) {
        return a;
    }
    // A number is its fraction times 2^exponent, but for one factor; subnormals have exponent 1 and no leading one.
    U exponent_above = above >> fraction;
    U exponent = below >> fraction;
    U rest = above & (one - 1u);
    U divisor = below & (one - 1u);
    rest = exponent_above == 0u ? rest : rest | one;
    divisor = exponent == 0u ? divisor : divisor | one;
    exponent_above = exponent_above == 0u ? 1u : exponent_above;
    exponent = exponent == 0u ? 1u : exponent;
    rest %= divisor;
    for (; exponent_above > exponent; exponent_above -= 1u) {
        rest <<= 1;
        rest = rest >= divisor ? rest - divisor : rest;
    }
    for (; rest != 0u && rest < one && exponent > 1u; exponent -= 1u) {
        rest <<= 1;
    }
    // The leading one adds itself to the exponent.
    const U magnitude = rest == 0u ? 0u : ((exponent - 1u) << fraction) + rest;
    return machine::of_bits(static_cast<U>((machine::to_bits(a) & sign) | magnitude));
}

template <typename T>
SYSTOLIC_INLINE T rem(T a, T b) {
    static_assert(is_number<T>, "a number");
    if constexpr (is_integer<T>) {
        if constexpr (is_signed_integer<T>) {
            if (b == -1) {
                return 0;
            }
        }
        return b == 0 ? T{0} : static_cast<T>(a % b);
    } else if constexpr (is_short_float<T>) {
        return narrow<T>(float_rem(widen(a), widen(b)));
    } else {
        return float_rem(a, b);
    }
}

// An integer, by an operation that hides what it was made of, for the sake of ptxas as above.
template <typename T>
SYSTOLIC_INLINE T veiled(T x) {
    static_assert(is_signed_integer<T> && sizeof(T) <= 4, "an integer that is compared as i32");
    return static_cast<T>(machine::veiled(x));
}

// A narrow integer in a whole register.
template <typename T>
SYSTOLIC_INLINE i32 extended(T x) {
    static_assert(is_integer<T> && sizeof(T) < 4, "an integer that i32 holds");
    return machine::extended(static_cast<u32>(static_cast<i32>(x)));
}

// a + (which ? b : c)
template <typename T>
SYSTOLIC_INLINE T add_either(T a, bool which, T b, T c) {
    static_assert(is_integer<T> && sizeof(T) == 4, "an integer of 4 bytes");
    return static_cast<T>(
        machine::add_either(static_cast<u32>(a), which, static_cast<u32>(b), static_cast<u32>(c)));
}

// The other one where one is NaN; -0 is below +0.
template <typename T>
SYSTOLIC_INLINE T min(T a, T b) {
    static_assert(is_number<T>, "a number");
    if constexpr (is_signed_integer<T> && sizeof(T) <= 4) {
        return static_cast<T>(machine::min(static_cast<i32>(a), static_cast<i32>(b)));
    } else if constexpr (is_integer<T> && !same<T, i64>) {
        return b < a ? b : a;
    } else if constexpr (is_short_float<T>) {
        return narrow<T>(machine::min(widen(a), widen(b)));
    } else {
        return machine::min(a, b);
    }
}

template <typename T>
SYSTOLIC_INLINE T max(T a, T b) {
    static_assert(is_number<T>, "a number");
    if constexpr (is_signed_integer<T> && sizeof(T) <= 4) {
        return static_cast<T>(machine::max(static_cast<i32>(a), static_cast<i32>(b)));
    } else if constexpr (is_integer<T> && !same<T, i64>) {
        return b > a ? b : a;
    } else if constexpr (is_short_float<T>) {
        return narrow<T>(machine::max(widen(a), widen(b)));
    } else {
        return machine::max(a, b);
    }
}

// ------------------------------------------------------------------------------------------------ bit operations

template <typename T>
SYSTOLIC_INLINE T and_(T a, T b) {
    static_assert(has_bits<T>, "an integer or bool");
    return static_cast<T>(a & b);
}

template <typename T>
SYSTOLIC_INLINE T or_(T a, T b) {
    static_assert(has_bits<T>, "an integer or bool");
    return static_cast<T>(a | b);
}

template <typename T>
SYSTOLIC_INLINE T xor_(T a, T b) {
    static_assert(has_bits<T>, "an integer or bool");
    return static_cast<T>(a ^ b);
}

template <typename T>
SYSTOLIC_INLINE T not_(T a) {
    static_assert(has_bits<T>, "an integer or bool");
    if constexpr (same<T, bool>) {
        return !a;
    } else {
        return static_cast<T>(~a);
    }
}

// A count modulo the width of T: every width divides those of the integers, so low bits say it, whatever the sign.
template <typename T, typename N>
SYSTOLIC_INLINE u32 shift_count(N count) {
    static_assert(is_integer<T> && is_integer<N>, "integers");
    return static_cast<u32>(count) & (8u * static_cast<u32>(sizeof(T)) - 1u);
}

template <typename T, typename N>
SYSTOLIC_INLINE T shl(T a, N count) {
    return static_cast<T>(static_cast<Wrap<T>>(a) << shift_count<T>(count));
}

// Keeps the sign of signed integers, as every compiler of today does.
template <typename T, typename N>
SYSTOLIC_INLINE T shr(T a, N count) {
    return static_cast<T>(a >> shift_count<T>(count));
}

// ------------------------------------------------------------------------------------------------ casts

// Truncates; saturates outside, and NaN gives 0. Both limits are powers of two, so they are floats.
template <typename To, typename F>
SYSTOLIC_INLINE To saturated(F x) {
    constexpr Bits<To> ones = static_cast<Bits<To>>(~Bits<To>{0});
    constexpr To most = static_cast<To>(is_signed_integer<To> ? ones >> 1 : ones);
    constexpr To least = is_signed_integer<To> ? static_cast<To>(-most - 1) : To{0};
    constexpr F half = static_cast<F>(Bits<To>{1} << (8 * sizeof(To) - 1));
    constexpr F high = is_signed_integer<To> ? half : 2 * half;
    constexpr F low = is_signed_integer<To> ? -high : F{0};
    if (x >= low && x < high) {
        return static_cast<To>(x);
    }
    return x >= high ? most : x < low ? least : To{0};
}

// `x as To`, for the pairs that Rust has.
template <typename To, typename From>
SYSTOLIC_INLINE To cast(From x) {
    static_assert(is_number<To> == is_number<From> || (same<From, bool> && is_integer<To>), "a cast that Rust has");
    if constexpr (same<To, From>) {
        return x;
    } else if constexpr (is_short_float<From>) {
        return cast<To>(widen(x));
    } else if constexpr (is_short_float<To> && is_integer<From>) {
        return narrow<To>(leading_bits(x));
    } else if constexpr (is_short_float<To> && same<From, f64>) {
        return narrow<To>(rounded_to_odd(x));
    } else if constexpr (is_short_float<To>) {
        return narrow<To>(x);
    } else if constexpr (is_integer<To> && is_float<From>) {
        return saturated<To>(x);
    } else {
        // Integers wrap; floats round to nearest even.
        return static_cast<To>(x);
    }
}

// ------------------------------------------------------------------------------------------------ elementary functions

template <typename T>
SYSTOLIC_INLINE T sqrt(T a) {
    static_assert(is_float<T>, "a float");
    if constexpr (is_short_float<T>) {
        return narrow<T>(machine::sqrt(widen(a)));
    } else {
        return machine::sqrt(a);
    }
}

// Horner's rule, the constant term first, each coefficient given by its bits.
template <typename F>
SYSTOLIC_INLINE F polynomial(F, Bits<F> last) {
    return machine::of_bits(last);
}
template <typename F, typename... More>
SYSTOLIC_INLINE F polynomial(F x, Bits<F> first, More... more) {
    return machine::fma(polynomial(x, more...), x, machine::of_bits(first));
}

// The constants of `systolic-arith/src/elementary/table.rs`, by their bits.
template <typename F>
struct Elementary;

template <>
struct Elementary<f32> {
    using Int = i32;
    static constexpr int fraction = 23;
    static constexpr u32 bias = 127u;
    // One and a half times two to the bits of the fraction: there the last place is 1.
    static constexpr f32 shift = 12582912.0f;
    static constexpr f32 most = 89.0f;
    static constexpr f32 least = -104.0f;
    static constexpr f32 exp2_most = 129.0f;
    static constexpr f32 exp2_least = -151.0f;
    static constexpr f32 half_exp_most = 90.0f;
    static constexpr f32 tanh_most = 10.0f;
    static constexpr f32 pow_most = 17179869184.0f;
    static constexpr f32 far = 32768.0f;
    static constexpr u32 log2_e = 0x3fb8aa3bu;
    static constexpr u32 ln_2_high = 0x3f317218u;
    static constexpr u32 ln_2_low = 0xb102e308u;
    static constexpr u32 root_half = 0x3f3504f3u;

    static SYSTOLIC_INLINE f32 exp(f32 r) {
        return polynomial(r, 0x3f000000u, 0x3e2aaaabu, 0x3d2aaa74u, 0x3c088870u, 0x3ab6a1a1u, 0x39509286u);
    }

    // ln(1 + f).
    static SYSTOLIC_INLINE f32 ln_near_one(f32 f) {
        const f32 p = polynomial(f, 0x3eaaaaaau, 0xbe7ffffeu, 0x3e4cceadu, 0xbe2aada5u, 0x3e11e90du, 0xbdfe7a63u,
                                 0x3def5141u, 0xbdeb1adeu, 0x3d8ec753u);
        return machine::fma(machine::mul(f, f), machine::fma(f, p, -0.5f), f);
    }

    static constexpr u32 log2_e_low = 0x32a57060u;
    static constexpr u32 third[2] = {0x3eaaaaabu, 0xb22aaaabu};

    static SYSTOLIC_INLINE f32 atanh(f32 z) {
        return polynomial(z, 0x3e4ccccdu, 0x3e124947u, 0x3de36076u, 0x3dc3cadfu);
    }

    static constexpr u32 two_over_pi = 0x3f22f983u;
    static constexpr u32 half_pi[3] = {0x3fc90fdbu, 0xb33bbd2eu, 0xa6f72cedu};

    static SYSTOLIC_INLINE f32 sin(f32 z) {
        return polynomial(z, 0xbe2aaaabu, 0x3c088887u, 0xb95009ccu, 0x3636dc56u);
    }

    static SYSTOLIC_INLINE f32 cos(f32 z) {
        return polynomial(z, 0x3d2aaaabu, 0xbab60b60u, 0x37d00addu, 0xb492905du);
    }

    static SYSTOLIC_INLINE f32 sinh(f32 z) {
        return polynomial(z, 0x3e2aaaabu, 0x3c08888fu, 0x39500480u, 0x363c5387u);
    }

    static SYSTOLIC_INLINE f32 atan(f32 z) {
        return polynomial(z, 0xbeaaaaaau, 0x3e4ccb00u, 0xbe11fca8u, 0x3dda7b24u, 0xbd7e8e17u);
    }

    static constexpr u32 atan_high[5] = {0x00000000u, 0x3eed6338u, 0x3f490fdbu, 0x3f7b985fu, 0x3fc90fdbu};
    static constexpr u32 atan_low[5] = {0x00000000u, 0x31ac376au, 0xb2bbbd2eu, 0xb2d7e096u, 0xb33bbd2eu};
};

template <>
struct Elementary<f64> {
    using Int = i64;
    static constexpr int fraction = 52;
    static constexpr u64 bias = 1023u;
    static constexpr f64 shift = 6755399441055744.0;
    static constexpr f64 most = 710.0;
    static constexpr f64 least = -746.0;
    static constexpr f64 exp2_most = 1025.0;
    static constexpr f64 exp2_least = -1076.0;
    static constexpr f64 half_exp_most = 711.0;
    static constexpr f64 tanh_most = 20.0;
    static constexpr f64 pow_most = 36893488147419103232.0;
    static constexpr f64 far = 1073741824.0;
    static constexpr u64 log2_e = 0x3ff71547652b82feu;
    static constexpr u64 ln_2_high = 0x3fe62e42fefa39efu;
    static constexpr u64 ln_2_low = 0x3c7abc9e3b39803fu;
    static constexpr u64 root_half = 0x3fe6a09e667f3bcdu;

    static SYSTOLIC_INLINE f64 exp(f64 r) {
        return polynomial(r, 0x3fe0000000000000u, 0x3fc5555555555557u, 0x3fa5555555555556u, 0x3f811111111100d5u,
                          0x3f56c16c16c162d1u, 0x3f2a01a01abeb69fu, 0x3efa01a01a6da7e2u, 0x3ec71de0226bd07au,
                          0x3e927e4db5e389d2u, 0x3e5af4e000e84be8u, 0x3e21f73102e57f8bu);
    }

    static SYSTOLIC_INLINE f64 ln_near_one(f64 f) {
        const f64 s = machine::div(f, machine::add(2.0, f));
        const f64 z = machine::mul(s, s);
        const f64 p = polynomial(z, 0x3fe5555555555558u, 0x3fd99999999952e2u, 0x3fd2492492df148du, 0x3fcc71c62e5800a1u,
                                 0x3fc7462b4ab2ef6bu, 0x3fc39fe606542ddeu, 0x3fc2b584aae78a57u);
        return machine::fma(-s, machine::fma(-z, p, f), f);
    }

    static constexpr u64 log2_e_low = 0x3c7777d0ffda0d24u;
    static constexpr u64 third[2] = {0x3fd5555555555555u, 0x3c75555555555555u};

    static SYSTOLIC_INLINE f64 atanh(f64 z) {
        return polynomial(z, 0x3fc999999999999au, 0x3fc2492492492521u, 0x3fbc71c71c6eaa8du, 0x3fb745d177a8f200u,
                          0x3fb3b1395d4f9e5fu, 0x3fb1118c74823a2eu, 0x3fadf7ce9a6bcccbu, 0x3fae02d197c00c78u);
    }

    static constexpr u64 two_over_pi = 0x3fe45f306dc9c883u;
    static constexpr u64 half_pi[3] = {0x3ff921fb54442d18u, 0x3c91a62633145c07u, 0xb91f1976b7ed8fbcu};

    static SYSTOLIC_INLINE f64 sin(f64 z) {
        return polynomial(z, 0xbfc5555555555555u, 0x3f81111111111110u, 0xbf2a01a01a01990bu, 0x3ec71de3a545b165u,
                          0xbe5ae6454093f4c8u, 0x3de6121778432972u, 0xbd6ab1366cceba95u);
    }

    static SYSTOLIC_INLINE f64 cos(f64 z) {
        return polynomial(z, 0x3fa5555555555555u, 0xbf56c16c16c16c16u, 0x3efa01a01a019cf6u, 0xbe927e4fb7710646u,
                          0x3e21eed8de75b3f6u, 0xbda9394b35a5ef55u, 0x3d2ab746aec2a0f2u);
    }

    static SYSTOLIC_INLINE f64 sinh(f64 z) {
        return polynomial(z, 0x3fc5555555555555u, 0x3f81111111111111u, 0x3f2a01a01a01a001u, 0x3ec71de3a556f96cu,
                          0x3e5ae6456792a77fu, 0x3de612467ccb2260u, 0x3d6ae777c36fd5b6u, 0x3ce99f0806c2628du);
    }

    static SYSTOLIC_INLINE f64 atan(f64 z) {
        return polynomial(z, 0xbfd5555555555555u, 0x3fc99999999998c4u, 0xbfc2492492485417u, 0x3fbc71c71bd21787u,
                          0xbfb745d154ac3da3u, 0x3fb3b1375a0eb258u, 0xbfb110c9a0c8644au, 0x3fae1704532a7e28u,
                          0xbfaab582fd05ec97u, 0x3fa6ffb4e901f5dbu, 0xbfa0f54730d6c30eu, 0x3f8e3ddb8d3850abu);
    }

    static constexpr u64 atan_high[5] = {0x0000000000000000u, 0x3fddac670561bb4fu, 0x3fe921fb54442d18u,
        0x3fef730bd281f69bu, 0x3ff921fb54442d18u};
    static constexpr u64 atan_low[5] = {0x0000000000000000u, 0x3c7a2b7f222f65e2u, 0x3c81a62633145c07u,
        0x3c7007887af0cbbdu, 0x3c91a62633145c07u};
};

// 2 to an exponent, given as an integer or as its bits; any number where it makes no normal float.
template <typename F>
SYSTOLIC_INLINE F power_of_two(Bits<F> exponent) {
    return machine::of_bits(static_cast<Bits<F>>((exponent + Elementary<F>::bias) << Elementary<F>::fraction));
}

// p 2^n for the integer n that is the difference of `shifted` from the shift; in two factors, so that both are normal
// and only the last product rounds.
template <typename F>
SYSTOLIC_INLINE F scaled(F p, F shifted) {
    using E = Elementary<F>;
    const Bits<F> n = machine::to_bits(shifted) - machine::to_bits(E::shift);
    const Bits<F> half = static_cast<Bits<F>>(static_cast<typename E::Int>(n) >> 1);
    return machine::mul(machine::mul(p, power_of_two<F>(half)), power_of_two<F>(n - half));
}

// The number within a range; comparisons that let NaN pass.
template <typename F>
SYSTOLIC_INLINE F limited(F x, F least, F most) {
    x = x > most ? most : x;
    return x < least ? least : x;
}

// The number with its sign bit flipped if the condition holds.
template <typename F>
SYSTOLIC_INLINE F negative_if(F x, bool condition) {
    const Bits<F> sign = static_cast<Bits<F>>(Bits<F>{condition} << (8 * sizeof(F) - 1));
    return machine::of_bits(static_cast<Bits<F>>(machine::to_bits(x) ^ sign));
}

template <typename F>
SYSTOLIC_INLINE bool is_negative(F x) {
    return machine::to_bits(x) >> (8 * sizeof(F) - 1) != 0u;
}

// Infinity, and a NaN where `quiet` is set.
template <typename F>
SYSTOLIC_INLINE F past_all(bool quiet = false) {
    constexpr Bits<F> infinity = (2u * Elementary<F>::bias + 1u) << Elementary<F>::fraction;
    return machine::of_bits(static_cast<Bits<F>>(quiet ? infinity | infinity >> 1 : infinity));
}

// An unevaluated sum, with about twice the digits of one float.
template <typename F>
struct Pair {
    F high;
    F low;
};

// The exact sum.
template <typename F>
SYSTOLIC_INLINE Pair<F> exact_sum(F a, F b) {
    const F high = machine::add(a, b);
    const F back = machine::sub(high, a);
    return {high, machine::add(machine::sub(a, machine::sub(high, back)), machine::sub(b, back))};
}

// The exact sum, where `a` is 0 or `b` is not greater in magnitude.
template <typename F>
SYSTOLIC_INLINE Pair<F> ordered_sum(F a, F b) {
    const F high = machine::add(a, b);
    return {high, machine::sub(b, machine::sub(high, a))};
}

template <typename F>
SYSTOLIC_INLINE Pair<F> exact_product(F a, F b) {
    const F high = machine::mul(a, b);
    return {high, machine::fma(a, b, -high)};
}

// The sum, where the second pair is smaller or the first one 0.
template <typename F>
SYSTOLIC_INLINE Pair<F> plus(Pair<F> a, Pair<F> b) {
    const Pair<F> sum = ordered_sum(a.high, b.high);
    return ordered_sum(sum.high, machine::add(sum.low, machine::add(a.low, b.low)));
}

template <typename F>
SYSTOLIC_INLINE Pair<F> times(Pair<F> a, Pair<F> b) {
    const Pair<F> product = exact_product(a.high, b.high);
    return ordered_sum(product.high, machine::fma(a.high, b.low, machine::fma(a.low, b.high, product.low)));
}

// The quotient, rounded to one float.
template <typename F>
SYSTOLIC_INLINE F over(Pair<F> a, Pair<F> b) {
    const F q = machine::div(a.high, b.high);
    const F rest = machine::add(machine::fma(-q, b.high, a.high), a.low);
    return machine::add(q, machine::div(machine::fma(-q, b.low, rest), b.high));
}

// The shift plus n, and x - n ln 2, for the integer n that makes the second smallest.
template <typename F>
SYSTOLIC_INLINE Pair<F> without_ln_2(F x) {
    using E = Elementary<F>;
    const F shifted = machine::fma(x, machine::of_bits(E::log2_e), E::shift);
    const F n = machine::sub(shifted, E::shift);
    const F high = machine::fma(-n, machine::of_bits(E::ln_2_high), x);
    return {shifted, machine::fma(-n, machine::of_bits(E::ln_2_low), high)};
}

// e^x = p 2^n.
template <typename F>
SYSTOLIC_INLINE F float_exp(F x) {
    using E = Elementary<F>;
    const Pair<F> reduced = without_ln_2(limited(x, E::least, E::most));
    const F r = reduced.low;
    const F p = machine::add(F{1}, machine::fma(machine::mul(r, r), E::exp(r), r));
    return scaled(p, reduced.high);
}

// Half of e^x, for x from 0 on.
template <typename F>
SYSTOLIC_INLINE Pair<F> half_exp(F x) {
    using E = Elementary<F>;
    const Pair<F> reduced = without_ln_2(x > E::half_exp_most ? E::half_exp_most : x);
    const F r = reduced.low;
    const Pair<F> p = ordered_sum(F{1}, machine::fma(machine::mul(r, r), E::exp(r), r));
    const F shifted = machine::sub(reduced.high, F{1});
    return {scaled(p.high, shifted), scaled(p.low, shifted)};
}

// e^x - 1, for x from 0 to 40 or so.
template <typename F>
SYSTOLIC_INLINE Pair<F> exp_less_one(F x) {
    using E = Elementary<F>;
    const Pair<F> reduced = without_ln_2(x);
    const F r = reduced.low;
    const Pair<F> q = ordered_sum(r, machine::mul(machine::mul(r, r), E::exp(r)));
    const F whole = machine::sub(scaled(F{1}, reduced.high), F{1});
    const Pair<F> sum = ordered_sum(whole, scaled(q.high, reduced.high));
    return {sum.high, machine::add(sum.low, scaled(q.low, reduced.high))};
}

// 2 to the power of a pair whose first part is in the range of exp2.
template <typename F>
SYSTOLIC_INLINE F exp2_of_pair(F high, F low) {
    using E = Elementary<F>;
    const F shifted = machine::add(high, E::shift);
    const F r = machine::sub(high, machine::sub(shifted, E::shift));
    const Pair<F> product = exact_product(r, machine::of_bits(E::ln_2_high));
    const F rest = machine::fma(r, machine::of_bits(E::ln_2_low), product.low);
    low = machine::fma(low, machine::of_bits(E::ln_2_high), rest);
    const F t = product.high;
    const F square = machine::mul(t, t);
    const F tail = E::exp(t);
    const F correction = machine::fma(machine::fma(square, tail, t), low, low);
    return scaled(machine::add(F{1}, machine::add(t, machine::fma(square, tail, correction))), shifted);
}

template <typename F>
SYSTOLIC_INLINE F float_exp2(F x) {
    return exp2_of_pair(limited(x, Elementary<F>::exp2_least, Elementary<F>::exp2_most), F{0});
}

// x = m 2^e, with m from the root of 1/2 to that of 2: m and e.
template <typename F>
SYSTOLIC_INLINE Pair<F> split(F x) {
    using E = Elementary<F>;
    constexpr Bits<F> smallest_normal = Bits<F>{1} << E::fraction;
    const bool small = x < machine::of_bits(smallest_normal);
    const Bits<F> bits = machine::to_bits(small ? machine::mul(x, power_of_two<F>(E::fraction)) : x);
    // Counting from the root of 1/2 puts the borders of the binades there.
    const auto binade = static_cast<typename E::Int>(bits - E::root_half) >> E::fraction;
    const F m = machine::of_bits(static_cast<Bits<F>>(bits - (static_cast<Bits<F>>(binade) << E::fraction)));
    return {m, static_cast<F>(binade - (small ? E::fraction : 0))};
}

// The result of a logarithm, given that for positive finite arguments.
template <typename F>
SYSTOLIC_INLINE F logarithm(F x, F result) {
    const F top = past_all<F>();
    if (x > F{0} && x < top) {
        return result;
    }
    return x == F{0} ? -top : x > F{0} ? top : past_all<F>(true);
}

// ln x = e ln 2 + ln m.
template <typename F>
SYSTOLIC_INLINE F float_ln(F x) {
    using E = Elementary<F>;
    const Pair<F> of = split(x);
    const F y = E::ln_near_one(machine::sub(of.high, F{1}));
    const F low = machine::fma(of.low, machine::of_bits(E::ln_2_low), y);
    return logarithm(x, machine::fma(of.low, machine::of_bits(E::ln_2_high), low));
}

template <typename F>
SYSTOLIC_INLINE F float_log2(F x) {
    using E = Elementary<F>;
    const Pair<F> of = split(x);
    const F y = E::ln_near_one(machine::sub(of.high, F{1}));
    const F low = machine::fma(y, machine::of_bits(E::log2_e_low), of.low);
    return logarithm(x, machine::fma(y, machine::of_bits(E::log2_e), low));
}

// The logarithm to base 2 of a positive finite number.
template <typename F>
SYSTOLIC_INLINE Pair<F> log2_pair(F x) {
    using E = Elementary<F>;
    const Pair<F> of = split(x);
    const F f = machine::sub(of.high, F{1});
    const Pair<F> sum = exact_sum(of.high, F{1});
    const F q = machine::div(f, sum.high);
    const Pair<F> s = {q, machine::div(machine::fma(-q, sum.low, machine::fma(-q, sum.high, f)), sum.high)};
    // atanh s = s + s z (1/3 + z (1/5 + ...)), with z = s^2.
    const Pair<F> z = times(s, s);
    Pair<F> tail = ordered_sum(machine::of_bits(E::third[0]), machine::mul(z.high, E::atanh(z.high)));
    tail.low = machine::add(tail.low, machine::of_bits(E::third[1]));
    const Pair<F> atanh = plus(s, times(s, times(z, tail)));
    const Pair<F> twice = {machine::add(atanh.high, atanh.high), machine::add(atanh.low, atanh.low)};
    const Pair<F> log2_e = {machine::of_bits(E::log2_e), machine::of_bits(E::log2_e_low)};
    return plus(Pair<F>{of.low, F{0}}, times(twice, log2_e));
}

template <typename F>
SYSTOLIC_INLINE F float_pow(F x, F y) {
    using E = Elementary<F>;
    const F a = machine::abs(x);
    const Pair<F> log = log2_pair(a);
    const F by = limited(y, -E::pow_most, E::pow_most);
    const Pair<F> product = exact_product(by, log.high);
    const F high = limited(product.high, E::exp2_least, E::exp2_most);
    const F low = high == product.high ? machine::fma(by, log.low, product.low) : F{0};
    const F top = past_all<F>();
    const bool ends = a == F{0} || a == top;
    const F end = (a == F{0}) == (y < F{0}) ? top : F{0};
    const F magnitude = ends ? end : exp2_of_pair(high, low);
    const F half = machine::mul(y, F{0.5});
    const bool whole = machine::trunc(y) == y;
    const bool odd = whole && machine::trunc(half) != half;
    const F result = negative_if(magnitude, odd && is_negative(x));
    const bool outside = x < F{0} && !ends && !whole;
    if (y == F{0} || x == F{1}) {
        return F{1};
    }
    return x == x && y == y && !outside ? result : past_all<F>(true);
}

// A number of quarter turns, and a rest of at most an eighth turn.
template <typename F>
struct Turned {
    u32 quadrant;
    Pair<F> rest;
};

// x 2/pi modulo 4, from the bits of 2/pi that matter for the exponent of x (Payne and Hanek's method), for x from 1 on.
SYSTOLIC_INLINE Turned<f64> reduced_by_bits(f64 x) {
    // A word of zeros, and the bits of 2/pi after the point.
    static const u64 two_over_pi_bits[20] = {
        0x0000000000000000u, 0xa2f9836e4e441529u, 0xfc2757d1f534ddc0u, 0xdb6295993c439041u,
        0xfe5163abdebbc561u, 0xb7246e3a424dd2e0u, 0x06492eea09d1921cu, 0xfe1deb1cb129a73eu,
        0xe88235f52ebb4484u, 0xe99c7026b45f7e41u, 0x3991d639835339f4u, 0x9c845f8bbdf9283bu,
        0x1ff897ffde05980fu, 0xef2f118b5a0a6d1fu, 0x6d367ecf27cb09b7u, 0x4f463f669e5fea2du,
        0x7527bac7ebe5f17bu, 0x3d0739f78a5292eau, 0x6bfb5fb11f8d5d08u, 0x56033046fc7b6babu,
    };
    const u64 bits = machine::to_bits(x);
    const u64 m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
    const u32 at = (static_cast<u32>(bits >> 52) & 0x7ffu) - 1013u;
    const u32 by = at % 64u;
    const u64* word = two_over_pi_bits + at / 64u;
    const u64 first = word[0] << by | word[1] >> 1 >> (63u - by);
    const u64 second = word[1] << by | word[2] >> 1 >> (63u - by);
    const u64 third = word[2] << by | word[3] >> 1 >> (63u - by);
    const u64 middle = m * second;
    const u64 lower = middle + machine::upper_product(m, third);
    const u64 upper = m * first + machine::upper_product(m, second) + (lower < middle ? 1u : 0u);
    const u32 quadrant = static_cast<u32>((upper + (u64{1} << 61)) >> 62);
    // Without the quarter turns, a signed fraction of 128 bits between -1/2 and 1/2.
    u64 high = upper << 2 | lower >> 62;
    u64 low = lower << 2;
    const bool negative = high >> 63 != 0u;
    if (negative) {
        high = ~high + (low == 0u ? 1u : 0u);
        low = ~low + 1u;
    }
    const f64 a = machine::mul(static_cast<f64>(static_cast<u32>(high >> 32)), 0x1p-32);
    const f64 b = machine::mul(static_cast<f64>(static_cast<u32>(high)), 0x1p-64);
    const f64 c = machine::mul(static_cast<f64>(static_cast<u32>(low >> 32)), 0x1p-96);
    const f64 d = machine::mul(static_cast<f64>(static_cast<u32>(low)), 0x1p-128);
    Pair<f64> sum = ordered_sum(a, b);
    sum = ordered_sum(sum.high, machine::add(sum.low, machine::add(c, d)));
    using E = Elementary<f64>;
    const Pair<f64> rest = times(Pair<f64>{machine::of_bits(E::half_pi[0]), machine::of_bits(E::half_pi[1])}, sum);
    const f64 sign = negative ? -1.0 : 1.0;
    // 0 for a finite x.
    const f64 finite = machine::sub(x, x);
    return {quadrant, {machine::add(machine::mul(rest.high, sign), finite), machine::mul(rest.low, sign)}};
}

// An angle that is not negative. The first difference is exact, and pi/2 has the digits of three floats.
template <typename F>
SYSTOLIC_INLINE Turned<F> turned(F a) {
    using E = Elementary<F>;
    if (a < E::far) {
        const F shifted = machine::fma(a, machine::of_bits(E::two_over_pi), E::shift);
        const F n = machine::sub(shifted, E::shift);
        const F r = machine::fma(-n, machine::of_bits(E::half_pi[0]), a);
        const Pair<F> second = exact_product(n, machine::of_bits(E::half_pi[1]));
        const Pair<F> rest = exact_sum(r, -second.high);
        const F low = machine::fma(-n, machine::of_bits(E::half_pi[2]), machine::sub(rest.low, second.low));
        return {static_cast<u32>(machine::to_bits(shifted)) & 3u, ordered_sum(rest.high, low)};
    }
    const Turned<f64> wide = reduced_by_bits(static_cast<f64>(a));
    const F high = static_cast<F>(wide.rest.high);
    const f64 rest = machine::add(machine::sub(wide.rest.high, static_cast<f64>(high)), wide.rest.low);
    return {wide.quadrant, {high, static_cast<F>(rest)}};
}

template <typename F>
SYSTOLIC_INLINE Pair<F> sine(Pair<F> rest) {
    const F r = rest.high;
    const F z = machine::mul(r, r);
    const F tilt = machine::mul(rest.low, machine::fma(F{-0.5}, z, F{1}));
    return ordered_sum(r, machine::fma(machine::mul(r, z), Elementary<F>::sin(z), tilt));
}

template <typename F>
SYSTOLIC_INLINE Pair<F> cosine(Pair<F> rest) {
    const Pair<F> z = exact_product(rest.high, rest.high);
    const F halved = machine::mul(z.high, F{0.5});
    const F w = machine::sub(F{1}, halved);
    const F lost = machine::fma(F{-0.5}, z.low, machine::sub(machine::sub(F{1}, w), halved));
    const F tilt = machine::mul(rest.high, rest.low);
    const F tail = machine::fma(machine::mul(z.high, z.high), Elementary<F>::cos(z.high), -tilt);
    return ordered_sum(w, machine::add(lost, tail));
}

template <typename F>
SYSTOLIC_INLINE F float_sin(F x) {
    const Turned<F> t = turned(machine::abs(x));
    const F value = (t.quadrant & 1u) == 0u ? sine(t.rest).high : cosine(t.rest).high;
    return negative_if(value, ((t.quadrant & 2u) != 0u) != is_negative(x));
}

template <typename F>
SYSTOLIC_INLINE F float_cos(F x) {
    const Turned<F> t = turned(machine::abs(x));
    const F value = (t.quadrant & 1u) == 0u ? cosine(t.rest).high : sine(t.rest).high;
    return negative_if(value, ((t.quadrant + 1u) & 2u) != 0u);
}

template <typename F>
SYSTOLIC_INLINE F float_tan(F x) {
    const Turned<F> t = turned(machine::abs(x));
    const bool odd = (t.quadrant & 1u) != 0u;
    const Pair<F> s = sine(t.rest);
    const Pair<F> c = cosine(t.rest);
    const Pair<F> above = {odd ? c.high : s.high, odd ? c.low : s.low};
    const Pair<F> below = {odd ? s.high : c.high, odd ? s.low : c.low};
    return negative_if(over(above, below), odd != is_negative(x));
}

// One of five: the first for small `a`, the last for large.
template <typename F, typename T>
SYSTOLIC_INLINE T by_size(F a, T n0, T n1, T n2, T n3, T n4) {
    return a < F{0.4375} ? n0 : a < F{0.6875} ? n1 : a < F{1.1875} ? n2 : a < F{2.4375} ? n3 : n4;
}

// atan x = atan t + atan ((x - t) / (1 + x t)), with t one of 0, 1/2, 1, 3/2 and infinity.
template <typename F>
SYSTOLIC_INLINE F float_atan(F x) {
    using E = Elementary<F>;
    const F a = machine::abs(x);
    const F above = by_size(a, a, machine::sub(machine::add(a, a), F{1}), machine::sub(a, F{1}),
                            machine::sub(a, F{1.5}), F{-1});
    const F below = by_size(a, F{1}, machine::add(a, F{2}), machine::add(a, F{1}), machine::fma(a, F{1.5}, F{1}), a);
    const F s = machine::div(above, below);
    const F z = machine::mul(s, s);
    const Bits<F> high = by_size<F, Bits<F>>(a, E::atan_high[0], E::atan_high[1], E::atan_high[2], E::atan_high[3],
                                             E::atan_high[4]);
    const Bits<F> low = by_size<F, Bits<F>>(a, E::atan_low[0], E::atan_low[1], E::atan_low[2], E::atan_low[3],
                                            E::atan_low[4]);
    const Pair<F> sum = ordered_sum(machine::of_bits(high), s);
    const F tail = machine::fma(machine::mul(s, z), E::atan(z), machine::of_bits(low));
    return negative_if(machine::add(sum.high, machine::add(sum.low, tail)), is_negative(x));
}

template <typename F>
SYSTOLIC_INLINE F float_sinh(F x) {
    const F a = machine::abs(x);
    const F z = machine::mul(a, a);
    const F near = machine::fma(machine::mul(a, z), Elementary<F>::sinh(z), a);
    const Pair<F> half = half_exp(a);
    const F far = machine::add(half.high, machine::sub(half.low, machine::div(F{0.25}, half.high)));
    return negative_if(a < F{1} ? near : far, is_negative(x));
}

template <typename F>
SYSTOLIC_INLINE F float_cosh(F x) {
    const Pair<F> half = half_exp(machine::abs(x));
    return machine::add(half.high, machine::add(half.low, machine::div(F{0.25}, half.high)));
}

// tanh x = u / (u + 2) with u = e^2x - 1.
template <typename F>
SYSTOLIC_INLINE F float_tanh(F x) {
    F a = machine::abs(x);
    a = a > Elementary<F>::tanh_most ? Elementary<F>::tanh_most : a;
    const Pair<F> u = exp_less_one(machine::add(a, a));
    const Pair<F> sum = exact_sum(u.high, F{2});
    return negative_if(over(u, Pair<F>{sum.high, machine::add(sum.low, u.low)}), is_negative(x));
}

// The functions of floats: 16-bit floats compute in f32.
#define SYSTOLIC_FUNCTION(NAME, FLOAT)                                                                   \
    template <typename T>                                                                                \
    SYSTOLIC_INLINE T NAME(T a) {                                                                        \
        static_assert(is_float<T>, "a float");                                                           \
        if constexpr (is_short_float<T>) {                                                               \
            return narrow<T>(FLOAT(widen(a)));                                                           \
        } else {                                                                                         \
            return FLOAT(a);                                                                             \
        }                                                                                                \
    }
SYSTOLIC_FUNCTION(exp, float_exp)
SYSTOLIC_FUNCTION(ln, float_ln)
SYSTOLIC_FUNCTION(exp2, float_exp2)
SYSTOLIC_FUNCTION(log2, float_log2)
SYSTOLIC_FUNCTION(sin, float_sin)
SYSTOLIC_FUNCTION(cos, float_cos)
SYSTOLIC_FUNCTION(tan, float_tan)
SYSTOLIC_FUNCTION(atan, float_atan)
SYSTOLIC_FUNCTION(sinh, float_sinh)
SYSTOLIC_FUNCTION(cosh, float_cosh)
SYSTOLIC_FUNCTION(tanh, float_tanh)
SYSTOLIC_FUNCTION(floor, machine::floor)
SYSTOLIC_FUNCTION(ceil, machine::ceil)
SYSTOLIC_FUNCTION(round, machine::round)
SYSTOLIC_FUNCTION(round_even, machine::round_even)
SYSTOLIC_FUNCTION(trunc, machine::trunc)
#undef SYSTOLIC_FUNCTION

template <typename T>
SYSTOLIC_INLINE T pow(T a, T b) {
    static_assert(is_float<T>, "a float");
    if constexpr (is_short_float<T>) {
        return narrow<T>(float_pow(widen(a), widen(b)));
    } else {
        return float_pow(a, b);
    }
}

// ------------------------------------------------------------------------------------------------ indices

// x = D quotient + remainder, with the remainder in 0..D. D is a constant from 1 on that I can hold.
template <i64 D, typename I>
SYSTOLIC_INLINE I remainder(I x) {
    static_assert(D >= 1 && D == static_cast<I>(D), "a divisor of this type");
    if constexpr ((D & (D - 1)) == 0) {
        return x & static_cast<I>(D - 1);
    } else {
        const I rest = x % static_cast<I>(D);
        return rest < 0 ? rest + static_cast<I>(D) : rest;
    }
}

template <i64 D, typename I>
SYSTOLIC_INLINE I quotient(I x) {
    static_assert(D >= 1 && D == static_cast<I>(D), "a divisor of this type");
    if constexpr (D == 1) {
        return x;
    } else if constexpr (D % 2 == 0) {
        return quotient<D / 2>(static_cast<I>(x >> 1));
    } else {
        return x / static_cast<I>(D) - (x % static_cast<I>(D) < 0 ? 1 : 0);
    }
}

// The index inside an axis of `length`, at least 1, that `i` stands for: the nearest one.
template <typename I>
SYSTOLIC_INLINE I clamp(I i, I length) {
    return i < 0 ? 0 : i < length ? i : length - 1;
}

// The one modulo the length. Within a length of the axis, where almost all indices are, nothing is divided. Division of 64 bits is a
// call, and a branch around it costs registers: there all lanes take it.
template <typename I>
SYSTOLIC_INLINE I wrap(I i, I length) {
    const I near = i < 0 ? i + length : i < length ? i : i - length;
    if (sizeof(I) == 4 && near >= 0 && near < length) {
        return near;
    }
    const I rest = i % length;
    return i >= 0 && i < length ? i : rest < 0 ? rest + length : rest;
}

// The one mirrored at the edges. REPEATED is 1 where the element at an edge is repeated, else 0: after a b c comes c b a, or b a.
template <int REPEATED, typename I>
SYSTOLIC_INLINE I mirrored(I i, I length) {
    const I once = i < 0 ? -i - REPEATED : i < length ? i : 2 * (length - 1) + REPEATED - i;
    if (sizeof(I) == 4 && once >= 0 && once < length) {
        return once;
    }
    const I period = REPEATED == 0 && length == 1 ? 1 : 2 * (length - 1 + REPEATED);
    const I rest = wrap(i, period);
    return rest < length ? rest : period - REPEATED - rest;
}

template <typename I>
SYSTOLIC_INLINE I reflect(I i, I length) {
    return mirrored<0>(i, length);
}

template <typename I>
SYSTOLIC_INLINE I symmetric(I i, I length) {
    return mirrored<1>(i, length);
}

// An index in a row of groups of G elements, after a border that moves whole groups.
template <i64 G, typename I, typename Border>
SYSTOLIC_INLINE I in_groups(I i, Border border) {
    return border(quotient<G>(i)) * static_cast<I>(G) + remainder<G>(i);
}

// ------------------------------------------------------------------------------------------------ memory

// N neighbours that one access moves; their address is a multiple of their size, at most 16 bytes.
template <typename T, int N>
struct alignas(sizeof(T) * N) Wide {
    static_assert(sizeof(T) * N <= 16 && (N & (N - 1)) == 0, "one access");
    T at[N];
};

// What one access moves. Where it moves several words, those are as long as the elements: others would be put together one by one.
template <typename V>
struct Access {
    using Type = typename Unsigned<sizeof(V)>::Type;
};
#ifdef __CUDACC__
template <int BYTES, int EACH>
struct Words {
    using Type = typename Unsigned<BYTES>::Type;
};
template <int EACH>
struct Words<8, EACH> {
    using Type = uint2;
};
template <>
struct Words<8, 8> {
    using Type = u64;
};
template <int EACH>
struct Words<16, EACH> {
    using Type = uint4;
};
template <>
struct Words<16, 8> {
    using Type = ulonglong2;
};
#else
template <int BYTES, int EACH>
struct Words {
    using Type = typename Unsigned<BYTES>::Type;
};
template <int EACH>
struct Words<16, EACH> {
    using Type = Wide<u64, 2>;
};
#endif
template <typename T, int N>
struct Access<Wide<T, N>> {
    using Type = typename Words<sizeof(T) * N, sizeof(T)>::Type;
};

// Reads a value or a `Wide` through the read-only path: of arrays that nothing stores to while the kernel runs.
template <typename V>
SYSTOLIC_INLINE V load(const V* from) {
    using Word = typename Access<V>::Type;
    const Word word = machine::read(reinterpret_cast<const Word*>(from));
    V value;
    __builtin_memcpy(&value, &word, sizeof(V));
    return value;
}

// Reads N elements by one access.
template <int N, typename T>
SYSTOLIC_INLINE Wide<T, N> load(const T* from) {
    return load(reinterpret_cast<const Wide<T, N>*>(from));
}

// What stands at `i` and behind it in a row of `length`, both multiples of N, where neighbours were found at the nearest place in
// it: before the row all are its first element, behind it its last.
template <bool before, bool behind, typename I, typename T, int N>
SYSTOLIC_INLINE Wide<T, N> with_ends(Wide<T, N> found, I i, I length) {
    Wide<T, N> value;
    for (int k = 0; k < N; ++k) {
        value.at[k] = before && i < 0 ? found.at[0] : behind && i >= length ? found.at[N - 1] : found.at[k];
    }
    return value;
}

// A value or a `Wide` as one access writes it.
template <typename V>
SYSTOLIC_INLINE typename Access<V>::Type word_of(V value) {
    typename Access<V>::Type word;
    __builtin_memcpy(&word, &value, sizeof(word));
    return word;
}

// Writes an element that this kernel does not read.
template <typename T>
SYSTOLIC_INLINE void store(T* to, T value) {
    *reinterpret_cast<typename Access<T>::Type*>(to) = word_of(value);
}

// Writes N elements by one access.
template <typename T, int N>
SYSTOLIC_INLINE void store(T* to, Wide<T, N> value) {
    *reinterpret_cast<typename Access<Wide<T, N>>::Type*>(to) = word_of(value);
}

// ------------------------------------------------------------------------------------------------ shuffle

#ifdef __CUDACC__
// The value of another lane, modulo 32. All lanes of the warp take part.
template <typename T>
SYSTOLIC_INLINE T shuffle(T value, i32 lane) {
    using Word = typename Unsigned<(sizeof(T) < 4 ? 4 : sizeof(T))>::Type;
    return of_bits<T>(machine::shuffle(static_cast<Word>(to_bits(value)), lane));
}
#endif

}  // namespace systolic

#endif
