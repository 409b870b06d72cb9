// As many products added as the device can: eight chains a thread, one operand of each product the same for all lanes.
template <class T> __device__ void roof(T* x, T factor, T begin, int length) {
  T* own = x + blockIdx.x * 256ll + threadIdx.x;
  T chain[8];
#pragma unroll
  for (int c = 0; c < 8; c++) chain[c] = *own + T(c);
#pragma unroll 1
  for (int i = 0; i < length; i += 64)
#pragma unroll
    for (int j = 0; j < 64; j++)
#pragma unroll
      for (int c = 0; c < 8; c++) chain[c] = fma(chain[c], factor, begin);
  T sum = 0;
#pragma unroll
  for (int c = 0; c < 8; c++) sum += chain[c];
  *own = sum;
}
extern "C" __global__ void __launch_bounds__(256) roof_f32(float* x, float a, float b, int n) { roof(x, a, b, n); }
extern "C" __global__ void __launch_bounds__(256) roof_f64(double* x, double a, double b, int n) { roof(x, a, b, n); }
