// 2-D convolution in the form of chen2019: a lane has one column, four sums go up the lanes one column of the filter at a
// time, the weights lie in shared memory, and the last P - 1 lanes of a warp's strip are computed again by the next. The filter
// begins `before` elements before its output; outside the input lies its nearest element.
template <class T, int P> struct Square { T w[P][P]; };

template <class T, int P> __device__ __forceinline__ void
ssam(const T* in, T* out, int in_pitch, int out_pitch, int in_height, int in_width, int height, int width, int before,
     const Square<T, P>& k) {
  constexpr int SUMS = 4, VALID = 32 - P + 1;
  __shared__ T w[P][P];
  for (int i = threadIdx.x; i < P * P; i += blockDim.x) w[i / P][i % P] = k.w[i / P][i % P];
  __syncthreads();
  const int lane = threadIdx.x & 31, strip = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, first = blockIdx.y * SUMS;
  const int column = strip * VALID + lane, read = min(max(column - before, 0), in_width - 1);
  T x[P + SUMS - 1];
#pragma unroll
  for (int i = 0; i < P + SUMS - 1; i++) x[i] = in[size_t(min(max(first + i - before, 0), in_height - 1)) * in_pitch + read];
#pragma unroll
  for (int s = 0; s < SUMS; s++) {
    T sum = 0;
#pragma unroll
    for (int q = 0; q < P; q++) {
      if (q) sum = __shfl_up_sync(~0u, sum, 1);
#pragma unroll
      for (int p = 0; p < P; p++) sum = fma(x[s + p], w[p][q], sum);
    }
    const int to = column - (P - 1);
    if (lane >= P - 1 && to < width && first + s < height) out[size_t(first + s) * out_pitch + to] = sum;
  }
}
#define SSAM(name, T, P) \
  extern "C" __global__ void __launch_bounds__(128) ssam_##name##_##P(const T* __restrict__ in, T* __restrict__ out, int ip, int op, \
      int ih, int iw, int height, int width, int before, const __grid_constant__ Square<T, P> k) { \
    ssam<T, P>(in, out, ip, op, ih, iw, height, width, before, k); }
SSAM(f32, float, 3)
SSAM(f32, float, 5)
SSAM(f32, float, 7)
SSAM(f32, float, 8)
SSAM(f32, float, 9)
SSAM(f32, float, 11)
SSAM(f32, float, 13)
SSAM(f32, float, 19)
SSAM(f32, float, 20)
SSAM(f64, double, 3)
SSAM(f64, double, 5)
SSAM(f64, double, 7)
SSAM(f64, double, 8)
SSAM(f64, double, 9)
SSAM(f64, double, 11)
