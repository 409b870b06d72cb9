
// ------------------------------------------------------------------------------------------------ what may not happen

namespace systolic {
namespace machine {

// A load under a predicate: a branch around every one of them would cost more than they do. Where it does not hold, the word
// stays what it was. Volatile, or it would be moved before the loop or the test that it stands in: what moves code sees no load
// in it.
#ifdef __CUDACC__
#define SYSTOLIC_READ_IF(WORD, LETTER, LOAD)                                                             \
    SYSTOLIC_INLINE WORD read_if(const WORD* from, bool when, WORD word) {                               \
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p " LOAD " %0, [%1]; }"                     \
            : "+" LETTER(word)                                                                           \
            : "l"(__cvta_generic_to_global(from)), "r"(static_cast<u32>(when)));                         \
        return word;                                                                                     \
    }
SYSTOLIC_READ_IF(u16, "h", "ld.global.nc.u16")
SYSTOLIC_READ_IF(u32, "r", "ld.global.nc.u32")
SYSTOLIC_READ_IF(u64, "l", "ld.global.nc.u64")
#undef SYSTOLIC_READ_IF
// A register of one byte there is none.
SYSTOLIC_INLINE u8 read_if(const u8* from, bool when, u8 old) {
    u16 word = old;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.global.nc.u8 %0, [%1]; }"
        : "+h"(word)
        : "l"(__cvta_generic_to_global(from)), "r"(static_cast<u32>(when)));
    return static_cast<u8>(word);
}
// The same of what other blocks have written: past the cache of the multiprocessor, which may hold what was there before.
#define SYSTOLIC_READ_FAR(WORD, PART, LETTER, LOAD)                                                      \
    SYSTOLIC_INLINE WORD read_far(const WORD* from, bool when, WORD old) {                               \
        PART word = old;                                                                                 \
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p " LOAD " %0, [%1]; }"                     \
            : "+" LETTER(word)                                                                           \
            : "l"(__cvta_generic_to_global(from)), "r"(static_cast<u32>(when)));                         \
        return static_cast<WORD>(word);                                                                  \
    }
SYSTOLIC_READ_FAR(u8, u16, "h", "ld.global.cg.u8")
SYSTOLIC_READ_FAR(u16, u16, "h", "ld.global.cg.u16")
SYSTOLIC_READ_FAR(u32, u32, "r", "ld.global.cg.u32")
SYSTOLIC_READ_FAR(u64, u64, "l", "ld.global.cg.u64")
#undef SYSTOLIC_READ_FAR
SYSTOLIC_INLINE uint2 read_far(const uint2* from, bool when, uint2 word) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.global.cg.v2.u32 {%0, %1}, [%2]; }"
        : "+r"(word.x), "+r"(word.y)
        : "l"(__cvta_generic_to_global(from)), "r"(static_cast<u32>(when)));
    return word;
}
SYSTOLIC_INLINE uint4 read_far(const uint4* from, bool when, uint4 word) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %5, 0; @p ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4]; }"
        : "+r"(word.x), "+r"(word.y), "+r"(word.z), "+r"(word.w)
        : "l"(__cvta_generic_to_global(from)), "r"(static_cast<u32>(when)));
    return word;
}
SYSTOLIC_INLINE ulonglong2 read_far(const ulonglong2* from, bool when, ulonglong2 word) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.global.cg.v2.u64 {%0, %1}, [%2]; }"
        : "+l"(word.x), "+l"(word.y)
        : "l"(__cvta_generic_to_global(from)), "r"(static_cast<u32>(when)));
    return word;
}
SYSTOLIC_INLINE uint2 read_if(const uint2* from, bool when, uint2 word) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.global.nc.v2.u32 {%0, %1}, [%2]; }"
        : "+r"(word.x), "+r"(word.y)
        : "l"(__cvta_generic_to_global(from)), "r"(static_cast<u32>(when)));
    return word;
}
SYSTOLIC_INLINE uint4 read_if(const uint4* from, bool when, uint4 word) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %5, 0; @p ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4]; }"
        : "+r"(word.x), "+r"(word.y), "+r"(word.z), "+r"(word.w)
        : "l"(__cvta_generic_to_global(from)), "r"(static_cast<u32>(when)));
    return word;
}
SYSTOLIC_INLINE ulonglong2 read_if(const ulonglong2* from, bool when, ulonglong2 word) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %3, 0; @p ld.global.nc.v2.u64 {%0, %1}, [%2]; }"
        : "+l"(word.x), "+l"(word.y)
        : "l"(__cvta_generic_to_global(from)), "r"(static_cast<u32>(when)));
    return word;
}

// A store under a predicate: behind a branch lanes would part, and meet again before the next shuffle.
#define SYSTOLIC_WRITE_IF(WORD, KIND, OPERAND, ...)                                                        \
    SYSTOLIC_INLINE void write_if(WORD* to, bool when, WORD word) {                                        \
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p st.global." KIND " [%1], " OPERAND "; }"    \
            :                                                                                              \
            : "r"(static_cast<u32>(when)), "l"(__cvta_generic_to_global(to)), __VA_ARGS__);                \
    }
SYSTOLIC_WRITE_IF(u8, "u8", "%2", "h"(static_cast<u16>(word)))
SYSTOLIC_WRITE_IF(u16, "u16", "%2", "h"(word))
SYSTOLIC_WRITE_IF(u32, "u32", "%2", "r"(word))
SYSTOLIC_WRITE_IF(u64, "u64", "%2", "l"(word))
SYSTOLIC_WRITE_IF(uint2, "v2.u32", "{%2, %3}", "r"(word.x), "r"(word.y))
SYSTOLIC_WRITE_IF(uint4, "v4.u32", "{%2, %3, %4, %5}", "r"(word.x), "r"(word.y), "r"(word.z), "r"(word.w))
SYSTOLIC_WRITE_IF(ulonglong2, "v2.u64", "{%2, %3}", "l"(word.x), "l"(word.y))
#undef SYSTOLIC_WRITE_IF
#else
template <typename Word>
inline Word read_if(const Word* from, bool when, Word old) {
    return when ? *from : old;
}
template <typename Word>
inline void write_if(Word* to, bool when, Word word) {
    if (when) *to = word;
}
#endif

}  // namespace machine

// An element of an input where `when` holds; elsewhere `old`, and nothing is read.
template <typename T>
SYSTOLIC_INLINE T load_if(bool when, const T* from, T old) {
    using Word = typename Unsigned<sizeof(T)>::Type;
    Word word;
    __builtin_memcpy(&word, &old, sizeof(word));
    return of_bits<T>(machine::read_if(reinterpret_cast<const Word*>(from), when, word));
}

// An element where `when` holds; elsewhere 0.
template <typename T>
SYSTOLIC_INLINE T load_if(bool when, const T* from) {
    return load_if(when, from, of_bits<T>(0));
}

// N neighbours where `when` holds; elsewhere `old`.
template <int N, typename T>
SYSTOLIC_INLINE Wide<T, N> load_if(bool when, const T* from, const Wide<T, N>& old) {
    using Word = typename Access<Wide<T, N>>::Type;
    Word word;
    __builtin_memcpy(&word, &old, sizeof(word));
    word = machine::read_if(reinterpret_cast<const Word*>(from), when, word);
    Wide<T, N> value;
    __builtin_memcpy(&value, &word, sizeof(value));
    return value;
}

// N neighbours where `when` holds; elsewhere zeros.
template <int N, typename T>
SYSTOLIC_INLINE Wide<T, N> load_if(bool when, const T* from) {
    return load_if<N>(when, from, Wide<T, N>{});
}

#ifdef __CUDACC__
// Begins to copy N neighbours of an input to shared memory, where `when` holds.
template <int N, typename T>
SYSTOLIC_INLINE void bring_if(bool when, T* to, const T* from) {
    static_assert(sizeof(T) * N == 4 || sizeof(T) * N == 8 || sizeof(T) * N == 16, "one copy");
#if __CUDA_ARCH__ >= 800
    const u32 there = static_cast<u32>(__cvta_generic_to_shared(to));
    const auto here = __cvta_generic_to_global(from);
    if (sizeof(T) * N == 16) {
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p cp.async.cg.shared.global [%1], [%2], 16; }"
            :
            : "r"(static_cast<u32>(when)), "r"(there), "l"(here)
            : "memory");
    } else {
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p cp.async.ca.shared.global [%1], [%2], %3; }"
            :
            : "r"(static_cast<u32>(when)), "r"(there), "l"(here), "n"(sizeof(T) * N < 16 ? int(sizeof(T) * N) : 8)
            : "memory");
    }
#else
    using Word = typename Access<Wide<T, N>>::Type;
    if (when) *reinterpret_cast<Word*>(to) = *reinterpret_cast<const Word*>(from);
#endif
}

// The same everywhere.
template <int N, typename T>
SYSTOLIC_INLINE void bring(T* to, const T* from) {
#if __CUDA_ARCH__ >= 800
    const u32 there = static_cast<u32>(__cvta_generic_to_shared(to));
    const auto here = __cvta_generic_to_global(from);
    if (sizeof(T) * N == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(there), "l"(here) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(there), "l"(here),
            "n"(sizeof(T) * N < 16 ? int(sizeof(T) * N) : 8)
            : "memory");
    }
#else
    bring_if<N>(true, to, from);
#endif
}

// Ends a group of copies.
SYSTOLIC_INLINE void end_of_brought() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits until this lane has at most GROUPS groups of copies under way.
template <int GROUPS>
SYSTOLIC_INLINE void await_brought() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(GROUPS) : "memory");
#endif
}

// N neighbours in shared memory.
template <int N, typename T>
SYSTOLIC_INLINE Wide<T, N> from_shared(const T* from) {
    using Word = typename Access<Wide<T, N>>::Type;
    const Word word = *reinterpret_cast<const Word*>(from);
    Wide<T, N> value;
    __builtin_memcpy(&value, &word, sizeof(value));
    return value;
}

// A value that another block of this launch has left, where `when` holds; elsewhere `old`.
template <typename T>
SYSTOLIC_INLINE T load_far(bool when, const T* from, T old) {
    using Word = typename Unsigned<sizeof(T)>::Type;
    Word word;
    __builtin_memcpy(&word, &old, sizeof(word));
    return of_bits<T>(machine::read_far(reinterpret_cast<const Word*>(from), when, word));
}

// The same; elsewhere 0.
template <typename T>
SYSTOLIC_INLINE T load_far(bool when, const T* from) {
    return load_far(when, from, of_bits<T>(0));
}

// N neighbours of them; elsewhere `old`.
template <int N, typename T>
SYSTOLIC_INLINE Wide<T, N> load_far(bool when, const T* from, const Wide<T, N>& old) {
    using Word = typename Access<Wide<T, N>>::Type;
    Word word;
    __builtin_memcpy(&word, &old, sizeof(word));
    word = machine::read_far(reinterpret_cast<const Word*>(from), when, word);
    Wide<T, N> value;
    __builtin_memcpy(&value, &word, sizeof(value));
    return value;
}

// The same; elsewhere zeros.
template <int N, typename T>
SYSTOLIC_INLINE Wide<T, N> load_far(bool when, const T* from) {
    return load_far<N>(when, from, Wide<T, N>{});
}
#endif

// Writes an element that this kernel does not read, where `when` holds.
template <typename T>
SYSTOLIC_INLINE void store_if(bool when, T* to, T value) {
    machine::write_if(reinterpret_cast<typename Access<T>::Type*>(to), when, word_of(value));
}

// Writes N elements by one access, where `when` holds.
template <typename T, int N>
SYSTOLIC_INLINE void store_if(bool when, T* to, Wide<T, N> value) {
    machine::write_if(reinterpret_cast<typename Access<Wide<T, N>>::Type*>(to), when, word_of(value));
}

}  // namespace systolic

// ------------------------------------------------------------------------------------------------ places

namespace systolic {

template <typename T>
SYSTOLIC_INLINE T zero() {
    return of_bits<T>(0);
}

template <typename I>
SYSTOLIC_INLINE I least(I a, I b) {
    return a < b ? a : b;
}

template <typename I>
SYSTOLIC_INLINE I greatest(I a, I b) {
    return a > b ? a : b;
}

// Bounds of loops are the least and greatest of many, and some of them are negatives.
template <>
SYSTOLIC_INLINE i32 least<i32>(i32 a, i32 b) {
    return machine::min(machine::veiled(a), machine::veiled(b));
}

template <>
SYSTOLIC_INLINE i32 greatest<i32>(i32 a, i32 b) {
    return machine::max(machine::veiled(a), machine::veiled(b));
}

// The compiler of nvcc takes minutes for many nested comparisons and selections of 64 bits, such as in bounds of some skewed loops.
template <>
SYSTOLIC_INLINE i64 least<i64>(i64 a, i64 b) {
    return machine::min(a, b);
}

template <>
SYSTOLIC_INLINE i64 greatest<i64>(i64 a, i64 b) {
    return machine::max(a, b);
}

// A time, or the last one. It is no part of a bound, so that nothing must be hidden.
template <typename I>
SYSTOLIC_INLINE I until(I time, I last) {
    return time < last ? time : last;
}

template <>
SYSTOLIC_INLINE i32 until<i32>(i32 time, i32 last) {
    return machine::min(time, last);
}

// 0 <= i < length
template <typename I>
SYSTOLIC_INLINE bool is_below(I i, I length) {
    return i >= 0 && i < length;
}

// An index of a table, or the one behind its last element for all that lie outside.
template <typename I>
SYSTOLIC_INLINE i32 until_end(I i, I length) {
    using U = Bits<I>;
    return static_cast<i32>(static_cast<U>(i) < static_cast<U>(length) ? i : length);
}

// The bytes from the first element of a row of a table to this one. A word holds one element or several, and lies beside those of the
// other copies.
template <typename T, int COPIES>
SYSTOLIC_INLINE i32 in_table_row(i64 index) {
    constexpr u32 each = sizeof(T) < 4 ? 4 / sizeof(T) : 1, word = sizeof(T) < 4 ? 4 : sizeof(T);
    const u32 i = static_cast<u32>(index);
    return static_cast<i32>(i / each * (word * COPIES) + i % each * static_cast<u32>(sizeof(T)));
}

template <typename T>
SYSTOLIC_INLINE T from_table(const u8* at) {
    return *reinterpret_cast<const T*>(at);
}

// A block of the grid: its coordinates from 0, the last fastest.
struct Cell {
    u32 axis[3];
};

// The block of a number.
SYSTOLIC_INLINE Cell cell_at(u32 number, u32 seconds, u32 thirds) {
    const u32 pairs = number / thirds;
    return {{pairs / seconds, pairs % seconds, number % thirds}};
}

// Whether a number is one of the blocks at the ends of axis K, among `count` blocks from `low` on; then its block, else the number
// among the others. The ends of an axis of eight blocks or fewer are many: neighbours would not run together any more.
template <int K>
SYSTOLIC_INLINE bool at_ends(u32& number, Cell& low, Cell& count, Cell& at) {
    if (count.axis[K] <= 8) {
        return false;
    }
    Cell ends = count;
    ends.axis[K] = 2;
    const u32 all = ends.axis[0] * ends.axis[1] * ends.axis[2];
    if (number < all) {
        at = cell_at(number, ends.axis[1], ends.axis[2]);
        // The last one, then the first.
        at.axis[K] = at.axis[K] == 0 ? count.axis[K] - 1 : 0;
        return true;
    }
    number -= all;
    low.axis[K] = 1;
    count.axis[K] -= 2;
    return false;
}

// The block of a number where those at the ends of an axis come first: they run longest, and would end last. Axis by axis from
// the last on, what lies at its ends and not at those before; then the rest. No axis is asked for by a number that is not known
// when compiling: its array would lie in memory.
SYSTOLIC_INLINE Cell ends_first(u32 number, Cell count) {
    Cell low = {{0, 0, 0}}, at;
    if (!at_ends<2>(number, low, count, at) && !at_ends<1>(number, low, count, at) && !at_ends<0>(number, low, count, at)) {
        at = cell_at(number, count.axis[1], count.axis[2]);
    }
    return {{low.axis[0] + at.axis[0], low.axis[1] + at.axis[1], low.axis[2] + at.axis[2]}};
}

#ifdef __CUDACC__
// A block of the grid: its coordinates, the last fastest, and its number.
template <typename I>
struct Block {
    I axis[3];
    i64 number;
};

// The axes are those of the grid, or, where one of them would be too long for it, one number. `ends`: those at the ends of an
// axis are launched first.
template <typename I, bool ends>
SYSTOLIC_INLINE Block<I> block_at(const i64 (&low)[3], const i64 (&count)[3], i64 linear) {
    // There are fewer than 2^31 blocks, and division of 64 bits is a call.
    const u32 firsts = static_cast<u32>(count[0]), seconds = static_cast<u32>(count[1]), thirds = static_cast<u32>(count[2]);
    Cell at = {{blockIdx.z, blockIdx.y, blockIdx.x}};
    if (ends) {
        const u32 launched = linear != 0 ? blockIdx.x : (blockIdx.z * seconds + blockIdx.y) * thirds + blockIdx.x;
        at = ends_first(launched, {{firsts, seconds, thirds}});
    } else if (linear != 0) {
        at = cell_at(blockIdx.x, seconds, thirds);
    }
    const i64 number = (i64(at.axis[0]) * seconds + at.axis[1]) * thirds + at.axis[2];
    return {{I(low[0] + at.axis[0]), I(low[1] + at.axis[1]), I(low[2] + at.axis[2])}, number};
}

// The block of the next ticket. It is taken when the block begins to run, so that whoever holds a lower ticket runs or has ended.
template <typename I>
SYSTOLIC_INLINE Block<I> ticket_at(const i64 (&low)[3], const i64 (&count)[3], u32* counter, const u32* order) {
    __shared__ u32 taken;
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        taken = order[atomicAdd(counter, 1u)];
    }
    __syncthreads();
    const Cell at = cell_at(taken, static_cast<u32>(count[1]), static_cast<u32>(count[2]));
    return {{I(low[0] + at.axis[0]), I(low[1] + at.axis[1]), I(low[2] + at.axis[2])}, taken};
}

// Waits until the block that lies back by (a, b, c) has ended, if there is one.
template <typename I>
SYSTOLIC_INLINE void wait_for(const Block<I>& at, const i64 (&low)[3], const i64 (&count)[3], const u32* flags, i64 a, i64 b, i64 c) {
    const i64 x = i64(at.axis[0]) - low[0] - a, y = i64(at.axis[1]) - low[1] - b, z = i64(at.axis[2]) - low[2] - c;
    if (x < 0 || y < 0 || z < 0 || x >= count[0] || y >= count[1] || z >= count[2]) {
        return;
    }
    const u32* flag = flags + (x * count[1] + y) * count[2] + z;
    u32 ended = 0;
    while (true) {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(ended) : "l"(__cvta_generic_to_global(flag)) : "memory");
        if (ended != 0) {
            return;
        }
        __nanosleep(64);
    }
}

// Tells the others that this block has ended, and with that all it has left for them.
SYSTOLIC_INLINE void publish(u32* flag) {
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        __threadfence();
        asm volatile("st.release.gpu.global.u32 [%0], 1;" : : "l"(__cvta_generic_to_global(flag)) : "memory");
    }
}
#endif

}  // namespace systolic
