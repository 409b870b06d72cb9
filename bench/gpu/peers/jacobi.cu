// Steps of Jacobi's method in one pass, by hand: a warp has a strip of columns, F a lane; every step runs a row behind the one
// before. A column has two registers a step: the newest row, and the sum of three neighbours that waits for the fourth. They
// swap roles from row to row, so that nothing is moved. Outer lanes go stale by a column a step, and are not stored.
// The row `row` comes in and leaves as row `row` - T after all steps. `older`: sums that wait, then the newest row. `newest`:
// the newest row, then its sums. Beyond the edges all is zero.
template <int T, int F, bool EDGE> __device__ __forceinline__ void
advance(float (&x)[F], float (&older)[T][F], float (&newest)[T][F], int row, int height, bool outside) {
#pragma unroll
  for (int u = 0; u < T; u++) {
    float next[F];
    const int made = row - u - 1;
    const bool zero = EDGE && (outside || made < 0 || made >= height);
#pragma unroll
    for (int j = 0; j < F; j++) {
      next[j] = zero ? 0.f : 0.25f * (older[u][j] + x[j]);
      older[u][j] = x[j];
    }
    const float west = __shfl_up_sync(~0u, x[F - 1], 1), east = __shfl_down_sync(~0u, x[0], 1);
#pragma unroll
    for (int j = 0; j < F; j++) newest[u][j] += (j ? x[j - 1] : west) + (j + 1 < F ? x[j + 1] : east);
#pragma unroll
    for (int j = 0; j < F; j++) x[j] = next[j];
  }
}

template <int T, int F, bool EDGE> __device__ __forceinline__ void
strip(const float* in, float* out, int in_pitch, int out_pitch, int height, int width, int column, int first, int end, bool keep) {
  constexpr int AHEAD = 2;
  const bool outside = column < 0 || column >= width;
  float sums[T][F] = {}, rows[T][F] = {}, coming[AHEAD][F] = {};
  auto load = [&](int row, float (&to)[F]) {
    const bool none = EDGE && (outside || row < 0 || row >= height);
    const float* from = in + ptrdiff_t(none ? 0 : row) * in_pitch + (none ? 0 : column);
#pragma unroll
    for (int j = 0; j < F; j += 4) {
      const float4 v = __ldg(reinterpret_cast<const float4*>(from + j));
      to[j] = none ? 0.f : v.x, to[j + 1] = none ? 0.f : v.y, to[j + 2] = none ? 0.f : v.z, to[j + 3] = none ? 0.f : v.w;
    }
  };
#pragma unroll
  for (int d = 0; d < AHEAD; d++) load(first - T + d, coming[d]);
#pragma unroll 1
  for (int row = first - T; row < end + T; row += AHEAD)
#pragma unroll
    for (int d = 0; d < AHEAD; d++) {
      float x[F];
#pragma unroll
      for (int j = 0; j < F; j++) x[j] = coming[d][j];
      if (row + d + AHEAD < end + T) load(row + d + AHEAD, coming[d]);
      if (d % 2 == 0) advance<T, F, EDGE>(x, sums, rows, row + d, height, outside);
      else advance<T, F, EDGE>(x, rows, sums, row + d, height, outside);
      const int done = row + d - T;
      if (keep && done >= first && done < end)
#pragma unroll
        for (int j = 0; j < F; j += 4)
          *reinterpret_cast<float4*>(out + ptrdiff_t(done) * out_pitch + column + j) = make_float4(x[j], x[j + 1], x[j + 2], x[j + 3]);
    }
}

// Four warps side by side. Whether a block meets an edge hangs on its place alone, so that no warp diverges.
template <int T, int F> __device__ __forceinline__ void
jacobi(const float* in, float* out, int in_pitch, int out_pitch, int height, int width, int band) {
  constexpr int RIM = (T + F - 1) / F, VALID = (32 - 2 * RIM) * F;
  const int lane = threadIdx.x & 31, column = (blockIdx.x * 4 + (threadIdx.x >> 5)) * VALID + (lane - RIM) * F;
  const int first = blockIdx.y * band, end = min(height, first + band);
  const bool keep = lane >= RIM && lane < 32 - RIM && column < width;
  const bool edge = blockIdx.x == 0 || int(blockIdx.x + 1) * 4 * VALID + RIM * F > width || first < T || end + T + 2 > height;
  if (edge) strip<T, F, true>(in, out, in_pitch, out_pitch, height, width, column, first, end, keep);
  else strip<T, F, false>(in, out, in_pitch, out_pitch, height, width, column, first, end, keep);
}
#define JACOBI(T, least) \
  extern "C" __global__ void __launch_bounds__(128, least) jacobi_##T(const float* __restrict__ in, float* __restrict__ out, int ip, \
      int op, int height, int width, int band) { jacobi<T, 8>(in, out, ip, op, height, width, band); }
JACOBI(2, 4)
JACOBI(4, 3)
JACOBI(8, 2)
