// What is expected: a sum of weighted neighbours, one after another, each product added without rounding in between. One
// thread an element, no tiles, no tricks.
#include <cuda_fp16.h>

struct Tap { int plane, row, column; double weight; };

// Where an index outside lands: 0 none of these occur, 1 zero, 2 nearest, 3 mirrored without the edge, 4 around, 5 a number,
// 6 mirrored with the edge.
__device__ long long inside(int border, long long i, long long n) {
  if (i >= 0 && i < n || border < 2 || border == 5) return i;
  if (border == 2) return i < 0 ? 0 : n - 1;
  long long edge = border == 6, period = border == 4 ? n : 2 * (n - 1 + edge);
  if (period < 1) return 0;
  i = (i % period + period) % period;
  return i >= n ? period - edge - i : i;
}

// T is what lies in memory, S what is summed. `begin`: the sum begins with 0 that the first product is added to; else it
// begins with the product.
template <class T, class S> __device__ void taps(const T* x, T* z, long long planes, long long rows, long long columns,
    long long pitch, long long out_rows, long long out_columns, long long out_pitch, const Tap* tap, int count, int stride,
    int border, double constant, int begin) {
  long long column = blockIdx.x * 256ll + threadIdx.x, line = blockIdx.y * 65535ll + blockIdx.z;
  long long plane = line / out_rows, row = line % out_rows;
  if (column >= out_columns || line >= out_rows * (planes < 1 ? 1 : planes)) return;
  S sum = 0;
  for (int k = 0; k < count; k++) {
    long long l = inside(border, plane + tap[k].plane, planes), r = inside(border, row + tap[k].row, rows);
    long long c = inside(border, stride * column + tap[k].column, columns);
    bool out = l < 0 || l >= planes || r < 0 || r >= rows || c < 0 || c >= columns;
    S value = out ? S(border == 5 ? constant : 0.0) : S(x[(l * rows + r) * pitch + c]), weight = S(tap[k].weight);
    sum = k == 0 && !begin ? value * weight : fma(value, weight, sum);
  }
  z[line * out_pitch + column] = T(sum);
}
#define TAPS(name, T, S) \
  extern "C" __global__ void taps_##name(const T* x, T* z, long long l, long long r, long long c, long long p, long long zr, \
      long long zc, long long zp, const Tap* t, int n, int s, int b, double k, int i) { \
    taps<T, S>(x, z, l, r, c, p, zr, zc, zp, t, n, s, b, k, i); }
TAPS(f16, __half, float)
TAPS(f32, float, float)
TAPS(f64, double, double)

// A matrix times itself, one thread an element.
extern "C" __global__ void square_of_matrix(const float* a, float* c, long long n, long long pitch, long long out_pitch) {
  long long row = blockIdx.y * 65535ll + blockIdx.z, column = blockIdx.x * 256ll + threadIdx.x;
  if (row >= n || column >= n) return;
  double sum = 0;
  for (long long k = 0; k < n; k++) sum = fma(double(a[row * pitch + k]), double(a[k * pitch + column]), sum);
  c[row * out_pitch + column] = float(sum);
}
