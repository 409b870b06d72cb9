// What the benchmark itself needs on the device: inputs, a copy to compare with, and results held against each other.
#include <cuda_fp16.h>

// Numbers from -1 to 1 in steps of 1/1024, which every type holds, by row and column alone: arrays of several shapes agree.
template <class T> __device__ void fill(T* x, long long rows, long long columns, long long pitch) {
  long long row = blockIdx.y * 65535ll + blockIdx.z, column = blockIdx.x * 256ll + threadIdx.x;
  if (row >= rows || column >= columns) return;
  unsigned h = unsigned(row) * 0x9E3779B1u + unsigned(column) * 0x85EBCA77u + 0x165667B1u;
  h = (h ^ (h >> 15)) * 0x2C1B3C6Du;
  h = (h ^ (h >> 12)) * 0x297A2D39u;
  h ^= h >> 15;
  x[row * pitch + column] = T(float(int(h % 2049u) - 1024) / 1024.0f);
}
extern "C" __global__ void fill_f16(__half* x, long long r, long long c, long long p) { fill(x, r, c, p); }
extern "C" __global__ void fill_f32(float* x, long long r, long long c, long long p) { fill(x, r, c, p); }
extern "C" __global__ void fill_f64(double* x, long long r, long long c, long long p) { fill(x, r, c, p); }

// 16 bytes a thread, and the few floats of the rest: what no kernel that reads and writes so much can be faster than.
extern "C" __global__ void __launch_bounds__(512) copy(const uint4* __restrict__ from, uint4* __restrict__ to, long long n, long long rest) {
  long long i = blockIdx.x * 512ll + threadIdx.x;
  if (i < n) to[i] = from[i];
  if (i < rest) ((float*)(to + n))[i] = ((const float*)(from + n))[i];
}

// How many elements of W bits differ, and the first of them; two NaNs are equal.
template <class T, class W> __device__ void differ(const T* found, const T* expected, long long rows, long long columns,
                                                   long long found_pitch, long long expected_pitch, unsigned long long* said) {
  long long all = rows * columns;
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < all; i += gridDim.x * 256ll) {
    long long row = i / columns, column = i % columns;
    T f = found[row * found_pitch + column], e = expected[row * expected_pitch + column];
    bool both_nan = f != f && e != e;
    if (!both_nan && *(W*)&f != *(W*)&e) {
      atomicAdd(said, 1ull);
      atomicMin(said + 1, (unsigned long long)i);
    }
  }
}
#define DIFFER(name, T, W) \
  extern "C" __global__ void differ_##name(const T* f, const T* e, long long r, long long c, long long fp, long long ep, unsigned long long* s) { \
    differ<T, W>(f, e, r, c, fp, ep, s); }
DIFFER(f16, __half, unsigned short)
DIFFER(f32, float, unsigned)
DIFFER(f64, double, unsigned long long)

// The largest difference: the bits of a double that is not negative are ordered as it is. A NaN counts as infinite.
template <class T> __device__ void distance(const T* found, const T* expected, long long rows, long long columns,
                                            long long found_pitch, long long expected_pitch, unsigned long long* said) {
  double most = 0;
  for (long long i = blockIdx.x * 256ll + threadIdx.x; i < rows * columns; i += gridDim.x * 256ll) {
    long long row = i / columns, column = i % columns;
    double d = fabs(double(found[row * found_pitch + column]) - double(expected[row * expected_pitch + column]));
    most = d <= most ? most : d == d ? d : INFINITY;
  }
  atomicMax(said, (unsigned long long)__double_as_longlong(most));
}
#define DISTANCE(name, T) \
  extern "C" __global__ void distance_##name(const T* f, const T* e, long long r, long long c, long long fp, long long ep, unsigned long long* s) { \
    distance<T>(f, e, r, c, fp, ep, s); }
DISTANCE(f16, __half)
DISTANCE(f32, float)
DISTANCE(f64, double)
