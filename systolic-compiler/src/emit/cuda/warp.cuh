
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

// 0 <= i < length
template <typename I>
SYSTOLIC_INLINE bool is_below(I i, I length) {
    return i >= 0 && i < length;
}

#ifdef __CUDACC__
// A block of the grid: its coordinates, the last fastest, and its number.
template <typename I>
struct Block {
    I axis[3];
    i64 number;
};

// The axes are those of the grid, or, where one of them would be too long for it, one number.
template <typename I>
SYSTOLIC_INLINE Block<I> block_at(const i64 (&low)[3], const i64 (&count)[3], i64 linear) {
    i64 first = blockIdx.z, second = blockIdx.y, third = blockIdx.x;
    if (linear != 0) {
        first = third / (count[1] * count[2]);
        second = third / count[2] % count[1];
        third = third % count[2];
    }
    const i64 number = (first * count[1] + second) * count[2] + third;
    return {{I(low[0] + first), I(low[1] + second), I(low[2] + third)}, number};
}
#endif

}  // namespace systolic
