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
    } else if constexpr (is_integer<T>) {
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
    } else if constexpr (is_integer<T>) {
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

// ------------------------------------------------------------------------------------------------ sqrt, exp, ln

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
};

template <>
struct Elementary<f64> {
    using Int = i64;
    static constexpr int fraction = 52;
    static constexpr u64 bias = 1023u;
    static constexpr f64 shift = 6755399441055744.0;
    static constexpr f64 most = 710.0;
    static constexpr f64 least = -746.0;
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
};

// 2 to an exponent, given as an integer or as its bits; any number where it makes no normal float.
template <typename F>
SYSTOLIC_INLINE F power_of_two(Bits<F> exponent) {
    return machine::of_bits(static_cast<Bits<F>>((exponent + Elementary<F>::bias) << Elementary<F>::fraction));
}

// e^x = p 2^n; in two factors, so that both are normal and only the last product rounds.
template <typename F>
SYSTOLIC_INLINE F float_exp(F x) {
    using E = Elementary<F>;
    // Comparisons that let NaN pass.
    x = x > E::most ? E::most : x;
    x = x < E::least ? E::least : x;
    const F shifted = machine::fma(x, machine::of_bits(E::log2_e), E::shift);
    const F whole = machine::sub(shifted, E::shift);
    const F high = machine::fma(-whole, machine::of_bits(E::ln_2_high), x);
    const F r = machine::fma(-whole, machine::of_bits(E::ln_2_low), high);
    const F p = machine::add(F{1}, machine::fma(machine::mul(r, r), E::exp(r), r));
    const Bits<F> n = machine::to_bits(shifted) - machine::to_bits(E::shift);
    const Bits<F> half = static_cast<Bits<F>>(static_cast<typename E::Int>(n) >> 1);
    return machine::mul(machine::mul(p, power_of_two<F>(half)), power_of_two<F>(n - half));
}

// ln x = e ln 2 + ln m, with m from the root of 1/2 to that of 2.
template <typename F>
SYSTOLIC_INLINE F float_ln(F x) {
    using E = Elementary<F>;
    constexpr Bits<F> infinity = (2u * E::bias + 1u) << E::fraction;
    constexpr Bits<F> smallest_normal = Bits<F>{1} << E::fraction;
    const bool small = x < machine::of_bits(smallest_normal);
    const F scaled = small ? machine::mul(x, power_of_two<F>(E::fraction)) : x;
    const Bits<F> bits = machine::to_bits(scaled);
    // Counting from the root of 1/2 puts the borders of the binades there.
    const auto binade = static_cast<typename E::Int>(bits - E::root_half) >> E::fraction;
    const F m = machine::of_bits(static_cast<Bits<F>>(bits - (static_cast<Bits<F>>(binade) << E::fraction)));
    const F e = static_cast<F>(binade - (small ? E::fraction : 0));
    const F y = E::ln_near_one(machine::sub(m, F{1}));
    const F low = machine::fma(e, machine::of_bits(E::ln_2_low), y);
    const F result = machine::fma(e, machine::of_bits(E::ln_2_high), low);
    const F top = machine::of_bits(infinity);
    if (x > F{0} && x < top) {
        return result;
    }
    return x == F{0} ? -top : x > F{0} ? top : machine::of_bits(static_cast<Bits<F>>(infinity | infinity >> 1));
}

template <typename T>
SYSTOLIC_INLINE T exp(T a) {
    static_assert(is_float<T>, "a float");
    if constexpr (is_short_float<T>) {
        return narrow<T>(float_exp(widen(a)));
    } else {
        return float_exp(a);
    }
}

template <typename T>
SYSTOLIC_INLINE T ln(T a) {
    static_assert(is_float<T>, "a float");
    if constexpr (is_short_float<T>) {
        return narrow<T>(float_ln(widen(a)));
    } else {
        return float_ln(a);
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

// The one modulo the length. Inside, where most lanes are, nothing is divided.
template <typename I>
SYSTOLIC_INLINE I wrap(I i, I length) {
    const bool inside = i >= 0 && i < length;
    // Division of 64 bits is a call, and a branch around it costs registers: there all lanes take it.
    if (sizeof(I) == 4 && inside) {
        return i;
    }
    const I rest = i % length;
    return inside ? i : rest < 0 ? rest + length : rest;
}

// The one mirrored at the edges. REPEATED is 1 where the element at an edge is repeated, else 0: after a b c comes c b a, or b a.
template <int REPEATED, typename I>
SYSTOLIC_INLINE I mirrored(I i, I length) {
    if (sizeof(I) == 4 && i >= 0 && i < length) {
        return i;
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
template <>
struct Words<8, 4> {
    using Type = uint2;
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
