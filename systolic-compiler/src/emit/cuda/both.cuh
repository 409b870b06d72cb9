// Included by kernels that run two blocks as one, after `systolic.cuh`: every value that differs between the blocks is a `Both`.
// From sm_90 on, that is one register with two halves of 16 bits, on which additions, minima and maxima are one instruction. Before,
// it is two registers, and as fast as two blocks of their own.
#ifndef SYSTOLIC_BOTH_CUH
#define SYSTOLIC_BOTH_CUH

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define SYSTOLIC_APART
#endif

namespace systolic {

template <typename T>
constexpr bool is_half = sizeof(T) <= 2 && has_bits<T>;

#ifdef SYSTOLIC_APART

template <typename T>
struct alignas(4) Both {
    static_assert(is_half<T>, "a value that fits half a register");
    T lower, upper;
};

template <typename T>
SYSTOLIC_INLINE Both<T> both(T lower, T upper) { return {lower, upper}; }
template <typename T>
SYSTOLIC_INLINE Both<T> both(T x) { return {x, x}; }
template <typename T>
SYSTOLIC_INLINE T lower(Both<T> x) { return x.lower; }
template <typename T>
SYSTOLIC_INLINE T upper(Both<T> x) { return x.upper; }

#define SYSTOLIC_OF_BOTH(OP)                                                                              \
    template <typename T>                                                                                 \
    SYSTOLIC_INLINE Both<T> OP(Both<T> a, Both<T> b) { return {OP(a.lower, b.lower), OP(a.upper, b.upper)}; }
SYSTOLIC_OF_BOTH(add)
SYSTOLIC_OF_BOTH(sub)
SYSTOLIC_OF_BOTH(min)
SYSTOLIC_OF_BOTH(max)
SYSTOLIC_OF_BOTH(and_)
SYSTOLIC_OF_BOTH(or_)
SYSTOLIC_OF_BOTH(xor_)
#undef SYSTOLIC_OF_BOTH

#define SYSTOLIC_OF_BOTH(OP)                                                                              \
    template <typename T>                                                                                 \
    SYSTOLIC_INLINE Both<bool> OP(Both<T> a, Both<T> b) { return {OP(a.lower, b.lower), OP(a.upper, b.upper)}; }
SYSTOLIC_OF_BOTH(eq)
SYSTOLIC_OF_BOTH(ne)
SYSTOLIC_OF_BOTH(lt)
SYSTOLIC_OF_BOTH(le)
SYSTOLIC_OF_BOTH(gt)
SYSTOLIC_OF_BOTH(ge)
#undef SYSTOLIC_OF_BOTH

#define SYSTOLIC_OF_BOTH(OP)                                                                              \
    template <typename T>                                                                                 \
    SYSTOLIC_INLINE Both<T> OP(Both<T> a) { return {OP(a.lower), OP(a.upper)}; }
SYSTOLIC_OF_BOTH(neg)
SYSTOLIC_OF_BOTH(not_)
SYSTOLIC_OF_BOTH(abs)
#undef SYSTOLIC_OF_BOTH

template <typename T>
SYSTOLIC_INLINE Both<T> sub(Both<T> a, T b) { return sub(a, both(b)); }

template <typename To, typename T>
SYSTOLIC_INLINE Both<To> cast(Both<T> a) { return {cast<To>(a.lower), cast<To>(a.upper)}; }

template <typename T>
SYSTOLIC_INLINE Both<T> choose(Both<bool> which, Both<T> a, Both<T> b) {
    return {which.lower ? a.lower : b.lower, which.upper ? a.upper : b.upper};
}
template <typename T>
SYSTOLIC_INLINE Both<T> choose(Both<bool> which, T a, T b) { return choose(which, both(a), both(b)); }

#ifdef __CUDACC__
template <typename T>
SYSTOLIC_INLINE Both<T> shuffle(Both<T> x, i32 lane) { return {shuffle(x.lower, lane), shuffle(x.upper, lane)}; }
#endif

#else

// The two values, each extended to 16 bits; of `bool` 0 or 1.
template <typename T>
struct Both {
    static_assert(is_half<T>, "a value that fits half a register");
    u32 bits;
};

namespace machine {

// One of each half.
constexpr u32 ONES = 0x00010001u;

#ifdef __CUDACC__
#define SYSTOLIC_HALVES(NAME, OP)                                                                         \
    SYSTOLIC_INLINE u32 NAME(u32 a, u32 b) {                                                              \
        u32 c;                                                                                            \
        asm(OP " %0, %1, %2;" : "=r"(c) : "r"(a), "r"(b));                                                \
        return c;                                                                                         \
    }
SYSTOLIC_HALVES(add_halves, "add.u16x2")
SYSTOLIC_HALVES(min_signed_halves, "min.s16x2")
SYSTOLIC_HALVES(max_signed_halves, "max.s16x2")
SYSTOLIC_HALVES(min_unsigned_halves, "min.u16x2")
SYSTOLIC_HALVES(max_unsigned_halves, "max.u16x2")
#undef SYSTOLIC_HALVES

SYSTOLIC_INLINE u32 halves(u32 lower, u32 upper) { return __byte_perm(lower, upper, 0x5410); }
#else
#define SYSTOLIC_HALVES(NAME, T, VALUE)                                                                   \
    inline u32 NAME(u32 x, u32 y) {                                                                       \
        u32 both = 0;                                                                                     \
        for (int k = 0; k < 32; k += 16) {                                                                \
            const T a = static_cast<T>(x >> k), b = static_cast<T>(y >> k);                               \
            both |= static_cast<u32>(static_cast<u16>(VALUE)) << k;                                       \
        }                                                                                                 \
        return both;                                                                                      \
    }
SYSTOLIC_HALVES(add_halves, u16, a + b)
SYSTOLIC_HALVES(min_signed_halves, i16, b < a ? b : a)
SYSTOLIC_HALVES(max_signed_halves, i16, b > a ? b : a)
SYSTOLIC_HALVES(min_unsigned_halves, u16, b < a ? b : a)
SYSTOLIC_HALVES(max_unsigned_halves, u16, b > a ? b : a)
#undef SYSTOLIC_HALVES

inline u32 halves(u32 lower, u32 upper) { return (lower & 0xffffu) | upper << 16; }
#endif

}  // namespace machine

// A value in 16 bits.
template <typename T>
SYSTOLIC_INLINE u32 as_half(T x) {
    static_assert(is_half<T>, "a value that fits half a register");
    return static_cast<u32>(static_cast<u16>(x));
}

template <typename T>
SYSTOLIC_INLINE Both<T> both(T lower, T upper) { return {machine::halves(as_half(lower), as_half(upper))}; }
template <typename T>
SYSTOLIC_INLINE Both<T> both(T x) { return {as_half(x) * machine::ONES}; }
template <typename T>
SYSTOLIC_INLINE T lower(Both<T> x) {
    if constexpr (same<T, bool>) {
        return (x.bits & 1u) != 0u;
    } else {
        return static_cast<T>(x.bits);
    }
}
template <typename T>
SYSTOLIC_INLINE T upper(Both<T> x) {
    if constexpr (same<T, bool>) {
        return (x.bits >> 16) != 0u;
    } else {
        return static_cast<T>(x.bits >> 16);
    }
}

// The low bits of each half as values of T: where T has 8 bits, they are extended again.
template <typename T>
SYSTOLIC_INLINE Both<T> wrapped(u32 bits) {
    if constexpr (same<T, u8>) {
        return {bits & 0x00ff00ffu};
    } else if constexpr (same<T, i8>) {
        return {machine::add_halves((bits & 0x00ff00ffu) ^ 0x00800080u, 0xff80ff80u)};
    } else {
        return {bits};
    }
}

template <typename T>
SYSTOLIC_INLINE Both<T> add(Both<T> a, Both<T> b) { return wrapped<T>(machine::add_halves(a.bits, b.bits)); }

// a - b = ~(~a + b)
template <typename T>
SYSTOLIC_INLINE Both<T> sub(Both<T> a, Both<T> b) { return wrapped<T>(~machine::add_halves(~a.bits, b.bits)); }

// What is the same in both is made negative first, before the loop.
template <typename T>
SYSTOLIC_INLINE Both<T> sub(Both<T> a, T b) {
    return wrapped<T>(machine::add_halves(a.bits, ((0u - as_half(b)) & 0xffffu) * machine::ONES));
}

template <typename T>
SYSTOLIC_INLINE Both<T> neg(Both<T> a) { return wrapped<T>(machine::add_halves(~a.bits, machine::ONES)); }

template <typename T>
SYSTOLIC_INLINE Both<T> min(Both<T> a, Both<T> b) {
    if constexpr (is_signed_integer<T>) {
        return {machine::min_signed_halves(a.bits, b.bits)};
    } else {
        return {machine::min_unsigned_halves(a.bits, b.bits)};
    }
}

template <typename T>
SYSTOLIC_INLINE Both<T> max(Both<T> a, Both<T> b) {
    if constexpr (is_signed_integer<T>) {
        return {machine::max_signed_halves(a.bits, b.bits)};
    } else {
        return {machine::max_unsigned_halves(a.bits, b.bits)};
    }
}

template <typename T>
SYSTOLIC_INLINE Both<T> abs(Both<T> a) {
    if constexpr (is_signed_integer<T>) {
        return max(a, neg(a));
    } else {
        return a;
    }
}

template <typename T>
SYSTOLIC_INLINE Both<T> and_(Both<T> a, Both<T> b) { return {a.bits & b.bits}; }
template <typename T>
SYSTOLIC_INLINE Both<T> or_(Both<T> a, Both<T> b) { return {a.bits | b.bits}; }
template <typename T>
SYSTOLIC_INLINE Both<T> xor_(Both<T> a, Both<T> b) { return {a.bits ^ b.bits}; }

template <typename T>
SYSTOLIC_INLINE Both<T> not_(Both<T> a) {
    if constexpr (same<T, bool>) {
        return {a.bits ^ machine::ONES};
    } else {
        return wrapped<T>(~a.bits);
    }
}

template <typename T>
SYSTOLIC_INLINE Both<bool> ne(Both<T> a, Both<T> b) {
    return {machine::min_unsigned_halves(a.bits ^ b.bits, machine::ONES)};
}

// a < b where the greater one is not a.
template <typename T>
SYSTOLIC_INLINE Both<bool> lt(Both<T> a, Both<T> b) { return ne(max(a, b), a); }

template <typename T>
SYSTOLIC_INLINE Both<bool> gt(Both<T> a, Both<T> b) { return lt(b, a); }
template <typename T>
SYSTOLIC_INLINE Both<bool> eq(Both<T> a, Both<T> b) { return not_(ne(a, b)); }
template <typename T>
SYSTOLIC_INLINE Both<bool> ge(Both<T> a, Both<T> b) { return not_(lt(a, b)); }
template <typename T>
SYSTOLIC_INLINE Both<bool> le(Both<T> a, Both<T> b) { return not_(lt(b, a)); }

template <typename To, typename T>
SYSTOLIC_INLINE Both<To> cast(Both<T> a) {
    static_assert(!same<To, bool>, "no integer becomes a bool");
    return wrapped<To>(a.bits);
}

template <typename T>
SYSTOLIC_INLINE Both<T> choose(Both<bool> which, Both<T> a, Both<T> b) {
    const u32 mask = which.bits * 0xffffu;
    return {(a.bits & mask) | (b.bits & ~mask)};
}

// Of values that are the same in both: b + which * (a - b), by one multiplication of 32 bits. In each half the result is a or b, so
// nothing is carried from one half to the other.
template <typename T>
SYSTOLIC_INLINE Both<T> choose(Both<bool> which, T a, T b) {
    return {which.bits * (as_half(a) - as_half(b)) + both(b).bits};
}

#ifdef __CUDACC__
template <typename T>
SYSTOLIC_INLINE Both<T> shuffle(Both<T> x, i32 lane) { return {shuffle(x.bits, lane)}; }
#endif

#endif

}  // namespace systolic
#endif
