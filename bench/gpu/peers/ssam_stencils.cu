// Stencils in the form of chen2019: a lane has one column and registers for its rows, four sums go up the lanes one column of
// the stencil at a time, each adding the taps of that column first, and the weights are arguments. The outer 2 R lanes of a
// warp's strip are computed again by the next. In three dimensions a warp has a plane; rows of the planes beside it come
// through shared memory, and the outer 2 R planes of a block are computed again by the next. Outside the array lies its
// nearest element.
constexpr int SUMS = 4;

__host__ __device__ constexpr int one(int x) { return x != 0; }

// What a stencil is: R is its reach, COUNT the number of its weights, OTHER the rows above and below that it takes of other
// planes. `weight` is the number of a tap's weight by plane, row and column, or -1 where there is no tap.
//
// A star along A axes: the centre, then ring by ring the neighbours along each axis, the earlier of two first.
template <int A, int K> struct Star {
  static constexpr int R = K, COUNT = 2 * A * K + 1, OTHER = 0;
  __host__ __device__ static constexpr int weight(int l, int r, int c) {
    if (one(l) + one(r) + one(c) > 1 || (A == 2 && l)) return -1;
    const int at = l + r + c, ring = at < 0 ? -at : at, axis = (l ? 0 : r ? 1 : 2) - (3 - A);
    return at ? 1 + (ring - 1) * 2 * A + 2 * axis + (at > 0) : 0;
  }
};
// A cube, the columns first.
template <int K> struct Cube {
  static constexpr int R = K, P = 2 * K + 1, COUNT = P * P * P, OTHER = K;
  __host__ __device__ static constexpr int weight(int l, int r, int c) { return ((l + K) * P + r + K) * P + c + K; }
};
// The centre, 6 faces and 12 edges, a weight for each kind.
struct Poisson {
  static constexpr int R = 1, COUNT = 3, OTHER = 1;
  __host__ __device__ static constexpr int weight(int l, int r, int c) {
    const int kind = one(l) + one(r) + one(c);
    return kind < 3 ? kind : -1;
  }
};

template <class T, int N> struct Line { T w[N]; };

// Sums for the lane's column less R, if the lane is at least the 2 R-th; all go on together, so that a weight is fetched once.
// `x` gives the lane's value by plane and row, both from those of the first sum.
template <class S, int PLANES, class T, class X> __device__ __forceinline__ void pass_on(T (&sums)[SUMS], const T* w, X x) {
#pragma unroll
  for (int s = 0; s < SUMS; s++) sums[s] = 0;
#pragma unroll
  for (int c = -S::R; c <= S::R; c++) {
#pragma unroll
    for (int s = 0; s < SUMS; s++)
      if (c > -S::R) sums[s] = __shfl_up_sync(~0u, sums[s], 1);
#pragma unroll
    for (int l = -PLANES; l <= PLANES; l++)
#pragma unroll
      for (int r = -S::R; r <= S::R; r++)
#pragma unroll
        for (int s = 0; s < SUMS; s++)
          if (S::weight(l, r, c) >= 0) sums[s] = fma(x(l, s + r), w[S::weight(l, r, c)], sums[s]);
  }
}

__device__ __forceinline__ int nearest(int i, int n) { return min(max(i, 0), n - 1); }

// Four warps side by side.
template <class S, class T> __device__ __forceinline__ void
flat(const T* in, T* out, int in_pitch, int out_pitch, int height, int width, const Line<T, S::COUNT>& k) {
  constexpr int R = S::R, ROWS = SUMS + 2 * R, VALID = 32 - 2 * R;
  const int lane = threadIdx.x & 31, strip = blockIdx.x * 4 + (threadIdx.x >> 5), first = blockIdx.y * SUMS;
  const int column = strip * VALID + lane - R, to = column - R;
  T x[ROWS];
#pragma unroll
  for (int i = 0; i < ROWS; i++) x[i] = in[size_t(nearest(first + i - R, height)) * in_pitch + nearest(column, width)];
  T sums[SUMS];
  pass_on<S, 0>(sums, k.w, [&](int, int r) { return x[R + r]; });
#pragma unroll
  for (int s = 0; s < SUMS; s++)
    if (lane >= 2 * R && to < width && first + s < height) out[size_t(first + s) * out_pitch + to] = sums[s];
}

// Sixteen warps, plane behind plane.
template <class S, class T> __device__ __forceinline__ void
solid(const T* in, T* out, int in_pitch, int out_pitch, int planes, int height, int width, const Line<T, S::COUNT>& k) {
  constexpr int R = S::R, ROWS = SUMS + 2 * R, VALID = 32 - 2 * R, WARPS = 16, SHARED = SUMS + 2 * S::OTHER;
  __shared__ T rows[WARPS][SHARED][32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, first = blockIdx.y * SUMS;
  const int column = blockIdx.x * VALID + lane - R, to = column - R, plane = blockIdx.z * (WARPS - 2 * R) + warp - R;
  const T* from = in + size_t(nearest(plane, planes)) * height * in_pitch + nearest(column, width);
  T x[2 * R + 1][ROWS];
#pragma unroll
  for (int i = 0; i < ROWS; i++) x[R][i] = from[size_t(nearest(first + i - R, height)) * in_pitch];
#pragma unroll
  for (int i = 0; i < SHARED; i++) rows[warp][i][lane] = x[R][R - S::OTHER + i];
  __syncthreads();
  if (warp < R || warp >= WARPS - R || plane >= planes) return;
#pragma unroll
  for (int l = -R; l <= R; l++)
#pragma unroll
    for (int i = 0; i < SHARED; i++)
      if (l) x[R + l][R - S::OTHER + i] = rows[warp + l][i][lane];
  T sums[SUMS];
  pass_on<S, R>(sums, k.w, [&](int l, int r) { return x[R + l][R + r]; });
#pragma unroll
  for (int s = 0; s < SUMS; s++)
    if (lane >= 2 * R && to < width && first + s < height) out[(size_t(plane) * height + first + s) * out_pitch + to] = sums[s];
}

#define FLAT_OF(name, T, type, ...) \
  extern "C" __global__ void __launch_bounds__(128) ssam_##name##_##type(const T* __restrict__ in, T* __restrict__ out, int ip, int op, \
      int planes, int height, int width, const __grid_constant__ Line<T, __VA_ARGS__::COUNT> k) { \
    flat<__VA_ARGS__, T>(in, out, ip, op, height, width, k); }
#define FLAT(name, ...) FLAT_OF(name, float, f32, __VA_ARGS__) FLAT_OF(name, double, f64, __VA_ARGS__)
#define SOLID_OF(name, T, type, ...) \
  extern "C" __global__ void __launch_bounds__(512) ssam_##name##_##type(const T* __restrict__ in, T* __restrict__ out, int ip, int op, \
      int planes, int height, int width, const __grid_constant__ Line<T, __VA_ARGS__::COUNT> k) { \
    solid<__VA_ARGS__, T>(in, out, ip, op, planes, height, width, k); }
#define SOLID(name, ...) SOLID_OF(name, float, f32, __VA_ARGS__) SOLID_OF(name, double, f64, __VA_ARGS__)
FLAT(2d5pt, Star<2, 1>)
FLAT(2d9pt, Star<2, 2>)
FLAT(2d13pt, Star<2, 3>)
FLAT(2d17pt, Star<2, 4>)
FLAT(2d21pt, Star<2, 5>)
FLAT(2ds25pt, Star<2, 6>)
SOLID(3d7pt, Star<3, 1>)
SOLID(3d13pt, Star<3, 2>)
SOLID(3d27pt, Cube<1>)
SOLID(3d125pt, Cube<2>)
SOLID(poisson, Poisson)
