// 1-D convolution by hand: a warp has four chunks of 128 elements, four a lane; behind a chunk lies the next one.
#include "conv.cuh"

template <int Q> struct Taps { float w[Q]; };

template <int Q> __device__ __forceinline__ void conv(const float* in, float* out, long long count, const Taps<Q>& k) {
  constexpr int F = 4, CHUNKS = 4;
  const int lane = threadIdx.x & 31;
  const long long first = (((long long)blockIdx.x * blockDim.x + threadIdx.x) >> 5) * (CHUNKS * 32 * F) + lane * F;
  float chunk[CHUNKS + 1][F] = {};
#pragma unroll
  for (int c = 0; c < CHUNKS; c++) read<F>(chunk[c], in + first + c * 32 * F);
  if (lane * F < Q - 1) {
#pragma unroll
    for (int j = 0; j < F; j++) {
      long long i = first + CHUNKS * 32 * F + j;
      chunk[CHUNKS][j] = in[min(i, count + Q - 2)];
    }
  }
#pragma unroll
  for (int c = 0; c < CHUNKS; c++) {
    float x[F + Q - 1], sum[F] = {};
#pragma unroll
    for (int i = 0; i < F + Q - 1; i++) {
      const int d = i / F;
      x[i] = d == 0 ? chunk[c][i] : __shfl_sync(~0u, lane < d ? chunk[c + 1][i % F] : chunk[c][i % F], (lane + d) & 31);
    }
#pragma unroll
    for (int q = 0; q < Q; q++)
#pragma unroll
      for (int j = 0; j < F; j++) sum[j] = fmaf(k.w[q], x[j + q], sum[j]);
    write<F>(out + first + c * 32 * F, sum);
  }
}
#define CONV(Q) \
  extern "C" __global__ void __launch_bounds__(256) hand_taps_##Q(const float* __restrict__ in, float* __restrict__ out, \
      long long count, const __grid_constant__ Taps<Q> k) { conv<Q>(in, out, count, k); }
CONV(2)
CONV(5)
CONV(9)
CONV(17)
