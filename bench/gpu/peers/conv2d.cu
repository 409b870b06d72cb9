// 2-D convolution by hand: a warp has a strip of columns, and every row that it meets goes into all sums at once.
#include "conv.cuh"

// Rows LO to HI of the filter against one row of the input: sum p goes on from sum p - 1 of the row before, so the last
// comes first and nothing is moved. Sum 0 begins with `from`.
template <int LO, int HI, int P, int Q, int F> __device__ __forceinline__ void
add(float (&sum)[P][F], const float (&x)[F + Q - 1], const Filter<P, Q>& k, const float (&from)[F]) {
#pragma unroll
  for (int p = HI - 1; p >= LO; p--)
#pragma unroll
    for (int q = 0; q < Q; q++)
#pragma unroll
      for (int j = 0; j < F; j++) {
        float before = q ? sum[p][j] : p ? sum[p - 1][j] : from[j];
        sum[p][j] = fmaf(k.w[p][q], x[j + q], before);
      }
}

// The rows of the filter in groups: one whose outputs all lie outside the band's `rows` is left out by every lane.
template <int GROUPS, int P, int Q, int F> __device__ __forceinline__ void
add_groups(float (&sum)[P][F], const float (&x)[F + Q - 1], const Filter<P, Q>& k, const float (&from)[F], int t, int rows) {
  constexpr int SIZE = (P + GROUPS - 1) / GROUPS;
  each([&](auto i) {
    constexpr int LO = (GROUPS - 1 - i.value) * SIZE, HI = LO + SIZE < P ? LO + SIZE : P;
    if constexpr (LO < HI)
      if (GROUPS == 1 || (t >= LO && t - (HI - 1) < rows)) add<LO, HI>(sum, x, k, from);
  }, std::make_integer_sequence<int, GROUPS>{});
}

// A band of `band` rows, rolled; AHEAD rows are on their way. With ADD the sums begin with what the output holds.
template <int P, int Q, int F, int AHEAD, int GROUPS, bool ADD = false, int A = 4> __device__ __forceinline__ void
rolled(const float* in, float* out, int in_pitch, int out_pitch, int height, int band, const Filter<P, Q>& k) {
  const int lane = threadIdx.x & 31, column = ((blockIdx.x * blockDim.x + threadIdx.x) >> 5) * 32 * F + lane * F;
  const int first = blockIdx.y * band, rows = min(band, height - first), steps = rows + P - 1;
  const float* source = in + size_t(first) * in_pitch + column;
  const float* old = out + size_t(first) * out_pitch + column;
  float* target = out + size_t(first) * out_pitch + column;
  float sum[P][F] = {}, from[F] = {}, next[F] = {};
  Row<Q, F, A> row[AHEAD];
#pragma unroll
  for (int d = 0; d < AHEAD; d++, source += in_pitch) row[d].load(source, lane);
  auto begin = [&](float (&to)[F]) {
#pragma unroll
    for (int j = 0; j < F; j += 4) *reinterpret_cast<float4*>(to + j) = *reinterpret_cast<const float4*>(old + j);
    old += out_pitch;
  };
  if constexpr (ADD) begin(from);
#pragma unroll 1
  for (int t = 0; t < steps; t += AHEAD)
#pragma unroll
    for (int d = 0; d < AHEAD; d++, source += in_pitch) {
      float x[F + Q - 1];
      row[d].spread(x, lane);
      if (t + d + AHEAD < steps) row[d].load(source, lane);
      if constexpr (ADD) if (t + 1 < rows) begin(next);
      add_groups<GROUPS>(sum, x, k, from, t + d, rows);
      if constexpr (ADD) {
#pragma unroll
        for (int j = 0; j < F; j++) from[j] = next[j];
      }
      if (t + d >= P - 1 && t + d < steps) write<F>(target, sum[P - 1]), target += out_pitch;
    }
}

// ROWS rows at once, every load before the first use.
template <int P, int F, int ROWS> __device__ __forceinline__ void
unrolled(const float* in, float* out, int in_pitch, int out_pitch, int height, const Filter<P, P>& k) {
  const int lane = threadIdx.x & 31, column = ((blockIdx.x * blockDim.x + threadIdx.x) >> 5) * 32 * F + lane * F;
  const int first = blockIdx.y * ROWS;
  Row<P, F> row[ROWS + P - 1];
#pragma unroll
  for (int t = 0; t < ROWS + P - 1; t++)
    row[t].load(in + size_t(min(first + t, height + P - 2)) * in_pitch + column, lane);
  float sum[P][F] = {};
  const float zero[F] = {};
  each([&](auto i) {
    constexpr int t = i.value, LO = t < ROWS ? 0 : t - ROWS + 1, HI = t + 1 < P ? t + 1 : P;
    float x[F + P - 1];
    row[t].spread(x, lane);
    add<LO, HI>(sum, x, k, zero);
    if constexpr (t >= P - 1)
      if (first + t - (P - 1) < height) write<F>(out + size_t(first + t - (P - 1)) * out_pitch + column, sum[P - 1]);
  }, std::make_integer_sequence<int, ROWS + P - 1>{});
}

#define ENTRY(name, least, P, Q, call) \
  extern "C" __global__ void __launch_bounds__(128, least) name(const float* __restrict__ in, float* out, int ip, int op, int height, \
      int band, const __grid_constant__ Filter<P, Q> k) { call; }
ENTRY(hand_3, 4, 3, 3, (unrolled<3, 4, 8>(in, out, ip, op, height, k)))
ENTRY(hand_5, 6, 5, 5, (unrolled<5, 4, 6>(in, out, ip, op, height, k)))
ENTRY(hand_7, 4, 7, 7, (rolled<7, 7, 8, 2, 1>(in, out, ip, op, height, band, k)))
ENTRY(hand_9, 2, 9, 9, (rolled<9, 9, 8, 3, 1>(in, out, ip, op, height, band, k)))
ENTRY(hand_13, 2, 13, 13, (rolled<13, 13, 8, 1, 5>(in, out, ip, op, height, band, k)))
// Two passes over the columns of the filter: a body with all of them is more than the instruction cache holds.
ENTRY(hand_19_first, 2, 19, 10, (rolled<19, 10, 8, 1, 4>(in, out, ip, op, height, band, k)))
ENTRY(hand_19_second, 2, 19, 9, (rolled<19, 9, 8, 1, 4, true, 2>(in, out, ip, op, height, band, k)))
ENTRY(hand_20_first, 2, 20, 10, (rolled<20, 10, 8, 1, 4>(in, out, ip, op, height, band, k)))
ENTRY(hand_20_second, 2, 20, 10, (rolled<20, 10, 8, 1, 4, true, 2>(in, out, ip, op, height, band, k)))
