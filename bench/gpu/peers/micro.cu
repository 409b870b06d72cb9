// The machine in numbers, each from one small kernel: what a cost model stands on. Alone:
//   nvcc -O3 -arch=sm_90 -DMICRO_MAIN micro.cu -o micro
#include <cuda_fp16.h>

// Instructions of one kind: what a chain becomes, of itself, two others and a number that all lanes share.
#define KIND(name, type, body) \
  struct name { using T = type; static __device__ __forceinline__ T of(T v, T w, T u, T s) { body } };
KIND(FmaShared, float, return fmaf(v, s, u);)
KIND(FmaOwn, float, return fmaf(w, u, v);)
KIND(AddF32, float, return v + w;)
KIND(MaxF32, float, asm volatile("max.f32 %0, %0, %1;" : "+f"(v) : "f"(w)); return v;)
KIND(FmaF64, double, return fma(v, s, u);)
KIND(FmaOwnF64, double, return fma(w, u, v);)
KIND(AddI32, int, asm volatile("add.s32 %0, %0, %1;" : "+r"(v) : "r"(w)); return v;)
KIND(MadI32, int, asm volatile("mad.lo.s32 %0, %0, %1, %2;" : "+r"(v) : "r"(s), "r"(w)); return v;)
KIND(MaxI32, int, asm volatile("max.s32 %0, %0, %1;" : "+r"(v) : "r"(w)); return v;)
KIND(Shift, int, asm volatile("shf.l.wrap.b32 %0, %0, %1, %2;" : "+r"(v) : "r"(w), "r"(u)); return v;)
KIND(Select, int, return v < u ? w : s;)
KIND(HalfUp, int, return __float_as_int(__half2float(__ushort_as_half((unsigned short)v)));)
KIND(HalfDown, int, return __half_as_ushort(__float2half(__int_as_float(v)));)
KIND(ToI32, int, return __float2int_rz(__int_as_float(v));)
KIND(Power, float, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(v)); return v;)
KIND(Shuffle, int, return __shfl_up_sync(~0u, v, 1);)

// A number by its bits, so that it stays where all lanes share it.
template <class T> __device__ __forceinline__ T number(int bits);
template <> __device__ __forceinline__ int number(int bits) { return bits; }
template <> __device__ __forceinline__ float number(int bits) { return __int_as_float(bits); }
template <> __device__ __forceinline__ double number(int bits) { return __hiloint2double(bits, bits); }

// 256 instructions a turn in so many chains.
template <class K, int CHAINS> __device__ __forceinline__ void chains(unsigned* x, int turns, int shared) {
  using T = typename K::T;
  T v[CHAINS];
#pragma unroll
  for (int i = 0; i < CHAINS; i++) v[i] = T(int(threadIdx.x) * 77 + i * shared);
#pragma unroll 1
  for (int turn = 0; turn < turns; turn++)
#pragma unroll
    for (int i = 0; i < 256; i++) v[i % CHAINS] = K::of(v[i % CHAINS], v[(i + 3) % CHAINS], v[(i + 5) % CHAINS], number<T>(shared));
  T sum = 0;
#pragma unroll
  for (int i = 0; i < CHAINS; i++) sum += v[i];
  if (sum == T(123456789)) *x = 1;
}
#define RATE(name, K) \
  extern "C" __global__ void __launch_bounds__(256) micro_rate_##name(unsigned* x, uint4*, long long turns, int shared) { \
    chains<K, 8>(x, int(turns), shared); }
#define BOTH(name, K) RATE(name, K) \
  extern "C" __global__ void __launch_bounds__(256) micro_wait_##name(unsigned* x, uint4*, long long turns, int shared) { \
    chains<K, 1>(x, int(turns), shared); }
BOTH(fma_shared, FmaShared)
BOTH(fma_own, FmaOwn)
BOTH(add_f32, AddF32)
RATE(max_f32, MaxF32)
BOTH(fma_f64, FmaF64)
BOTH(fma_own_f64, FmaOwnF64)
BOTH(add_i32, AddI32)
BOTH(mad_i32, MadI32)
RATE(max_i32, MaxI32)
BOTH(shift, Shift)
RATE(select, Select)
BOTH(half_up, HalfUp)
BOTH(half_down, HalfDown)
BOTH(to_i32, ToI32)
BOTH(power, Power)
BOTH(shuffle, Shuffle)

// Products and maxima in turn: two pipes, so that only the issue is left to bind.
extern "C" __global__ void __launch_bounds__(256) micro_rate_issue(unsigned* x, uint4*, long long turns, int shared) {
  float v[8], s = __int_as_float(shared);
  int w[8];
#pragma unroll
  for (int i = 0; i < 8; i++) v[i] = threadIdx.x + i, w[i] = threadIdx.x * 3 + i;
#pragma unroll 1
  for (int turn = 0; turn < int(turns); turn++)
#pragma unroll
    for (int i = 0; i < 128; i++) {
      v[i % 8] = fmaf(v[i % 8], s, v[(i + 5) % 8]);
      asm volatile("max.s32 %0, %0, %1;" : "+r"(w[i % 8]) : "r"(w[(i + 3) % 8]));
    }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) sum += v[i] + w[i];
  if (sum == 123456789.0f) *x = 1;
}

// Shared memory, and what lies in the first cache: 256 loads a turn. A wait is a chain of addresses.
extern "C" __global__ void __launch_bounds__(256) micro_rate_shared_load(unsigned* x, uint4*, long long turns, int shared) {
  __shared__ unsigned box[512];
  box[threadIdx.x] = box[threadIdx.x + 256] = threadIdx.x * shared;
  __syncthreads();
  unsigned at = unsigned(__cvta_generic_to_shared(box + threadIdx.x)), sum = 0;
#pragma unroll 1
  for (int turn = 0; turn < int(turns); turn++)
#pragma unroll
    for (int i = 0; i < 256; i++) {
      unsigned v;
      asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v) : "r"(at + (i % 8) * 128));
      sum ^= v;
    }
  if (sum == 123456789u) *x = sum;
}
extern "C" __global__ void __launch_bounds__(256) micro_wait_shared_load(unsigned* x, uint4*, long long turns, int shared) {
  __shared__ unsigned box[256];
  box[threadIdx.x] = unsigned(__cvta_generic_to_shared(box + threadIdx.x)) * shared;
  __syncthreads();
  unsigned at = unsigned(__cvta_generic_to_shared(box + threadIdx.x));
#pragma unroll 1
  for (int turn = 0; turn < int(turns); turn++)
#pragma unroll
    for (int i = 0; i < 256; i++) asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(at) : "r"(at));
  if (at == 123456789u) *x = at;
}
template <class V> __device__ __forceinline__ unsigned folded(V v);
template <> __device__ __forceinline__ unsigned folded(unsigned v) { return v; }
template <> __device__ __forceinline__ unsigned folded(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }
template <class V> __device__ __forceinline__ void near(unsigned* x, const uint4* y, int turns) {
  unsigned sum = 0;
  const V* own = (const V*)y + (threadIdx.x & 31);
#pragma unroll 1
  for (int turn = 0; turn < turns; turn++)
#pragma unroll
    for (int i = 0; i < 256; i++) sum ^= folded(__ldca(own + (turn & 1) + i * 32));
  if (sum == 123456789u) *x = sum;
}
extern "C" __global__ void __launch_bounds__(256) micro_rate_near_4(unsigned* x, uint4* y, long long turns, int) { near<unsigned>(x, y, int(turns)); }
extern "C" __global__ void __launch_bounds__(256) micro_rate_near_16(unsigned* x, uint4* y, long long turns, int) { near<uint4>(x, y, int(turns)); }
// Stores into what the second cache holds: of all lanes side by side, and of one lane.
template <int LANES> __device__ __forceinline__ void put(uint4* y, int turns, int shared) {
  unsigned* own = (unsigned*)y + (blockIdx.x * 8ll + threadIdx.x / 32) * 256 + threadIdx.x % 32;
#pragma unroll 1
  for (int turn = 0; turn < turns; turn++)
#pragma unroll
    for (int i = 0; i < 256; i++)
      if (threadIdx.x % 32 < LANES) asm volatile("st.global.u32 [%0], %1;" ::"l"(own + i % 8 * 32), "r"(turn + shared) : "memory");
}
extern "C" __global__ void __launch_bounds__(256) micro_rate_put_4(unsigned*, uint4* y, long long turns, int shared) { put<32>(y, int(turns), shared); }
extern "C" __global__ void __launch_bounds__(256) micro_rate_put_one(unsigned*, uint4* y, long long turns, int shared) { put<1>(y, int(turns), shared); }
// A shuffle and a load of what lies in the first cache in turn: whether they share a pipe.
extern "C" __global__ void __launch_bounds__(256) micro_rate_mixed(unsigned* x, uint4* y, long long turns, int) {
  unsigned sum = 0, v = threadIdx.x;
  const unsigned* own = (const unsigned*)y + (threadIdx.x & 31);
#pragma unroll 1
  for (int turn = 0; turn < int(turns); turn++)
#pragma unroll
    for (int i = 0; i < 128; i++) {
      sum ^= __ldca(own + (turn & 1) + i * 32);
      sum ^= __shfl_up_sync(~0u, v + i, 1);
    }
  if (sum == 123456789u) *x = sum;
}
// Numbers of the constants, at an index that differs from lane to lane.
__constant__ int table[64];
extern "C" __global__ void __launch_bounds__(256) micro_rate_pick(unsigned* x, uint4*, long long turns, int shared) {
  int v[8];
#pragma unroll
  for (int i = 0; i < 8; i++) v[i] = int(threadIdx.x % 32) + (i & shared);
#pragma unroll 1
  for (int turn = 0; turn < int(turns); turn++)
#pragma unroll
    for (int i = 0; i < 256; i++) v[i % 8] ^= table[v[i % 8] & 63];
  int sum = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) sum += v[i];
  if (sum == 123456789) *x = 1;
}
extern "C" __global__ void __launch_bounds__(256) micro_rate_barrier(unsigned* x, uint4*, long long turns, int) {
#pragma unroll 1
  for (int turn = 0; turn < int(turns); turn++)
#pragma unroll
    for (int i = 0; i < 256; i++) __syncthreads();
  if (turns < 0) *x = 1;
}

// Products with 512 numbers that all lanes share, more than uniform registers hold: each is fetched again every turn.
__constant__ float many[512];
extern "C" __global__ void __launch_bounds__(128) micro_weights(unsigned* x, uint4*, long long turns, int) {
  float v[32];
#pragma unroll
  for (int i = 0; i < 32; i++) v[i] = threadIdx.x + i;
#pragma unroll 1
  for (int turn = 0; turn < int(turns); turn++)
#pragma unroll
    for (int i = 0; i < 1024; i++) v[i % 32] = fmaf(v[(i + 7) % 32], many[i / 2], v[i % 32]);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 32; i++) sum += v[i];
  if (sum == 123456789.0f) *x = 1;
}
__constant__ double many_64[256];
extern "C" __global__ void __launch_bounds__(128) micro_weights_f64(unsigned* x, uint4*, long long turns, int) {
  double v[16];
#pragma unroll
  for (int i = 0; i < 16; i++) v[i] = threadIdx.x + i;
#pragma unroll 1
  for (int turn = 0; turn < int(turns); turn++)
#pragma unroll
    for (int i = 0; i < 1024; i++) v[i % 16] = fma(v[(i + 7) % 16], many_64[i / 4], v[i % 16]);
  double sum = 0;
#pragma unroll
  for (int i = 0; i < 16; i++) sum += v[i];
  if (sum == 123456789.0) *x = 1;
}

// Loops of so many instructions.
template <int N> __device__ __forceinline__ void body(unsigned* x, int turns, float shared) {
  float v[32], y[8];
#pragma unroll
  for (int i = 0; i < 32; i++) v[i] = threadIdx.x + i;
#pragma unroll
  for (int i = 0; i < 8; i++) y[i] = v[i] * shared;
#pragma unroll 1
  for (int turn = 0; turn < turns; turn++)
#pragma unroll
    for (int i = 0; i < N; i++) v[i % 32] = fmaf(y[(i + i / 32) % 8], shared, v[i % 32]);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 32; i++) sum += v[i];
  if (sum == 123456789.0f) *x = 1;
}
#define BODY(N) extern "C" __global__ void __launch_bounds__(128) micro_body_##N(unsigned* x, uint4*, long long turns, int shared) { \
    body<N>(x, int(turns), __int_as_float(shared)); }
BODY(512)
BODY(1024)
BODY(1536)
BODY(1920)
BODY(2048)
BODY(2304)
BODY(2560)
BODY(3072)
BODY(4096)
BODY(8192)

// Memory: 16 bytes a thread, as often as the grid fits into n. The second array lies behind the first.
extern "C" __global__ void __launch_bounds__(512) micro_copy(unsigned*, uint4* y, long long n, int passes) {
  for (int pass = 0; pass < passes; pass++)
    for (long long i = blockIdx.x * 512ll + threadIdx.x; i < n; i += gridDim.x * 512ll) y[n + i] = __ldcg(y + i);
}
extern "C" __global__ void __launch_bounds__(512) micro_read(unsigned* x, uint4* y, long long n, int passes) {
  unsigned sum = 0;
  for (int pass = 0; pass < passes; pass++)
    for (long long i = (blockIdx.x * 512ll + threadIdx.x) ^ (pass << 12); i < n; i += gridDim.x * 2048ll) {
      uint4 four[4];
#pragma unroll
      for (int j = 0; j < 4; j++) four[j] = __ldcg(y + min(i + j * gridDim.x * 512ll, n - 1));
#pragma unroll
      for (int j = 0; j < 4; j++) sum ^= folded(four[j]) + pass;
    }
  if (sum == 123456789u) *x = sum;
}
extern "C" __global__ void __launch_bounds__(512) micro_write(unsigned*, uint4* y, long long n, int passes) {
  for (int pass = 0; pass < passes; pass++)
    for (long long i = blockIdx.x * 512ll + threadIdx.x; i < n; i += gridDim.x * 512ll) y[i] = make_uint4(pass, 1, 2, 3);
}

// A walk from line to line of 128 bytes, each read to know the next; it goes on where the last one ended.
extern "C" __global__ void micro_ring(unsigned* x, uint4* y, long long lines, int stride) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < lines; i += (long long)gridDim.x * blockDim.x) y[i * 8].x = unsigned((i + stride) % lines);
  if (blockIdx.x == 0 && threadIdx.x == 0) *x = 0;
}
extern "C" __global__ void micro_chase(unsigned* x, uint4* y, long long steps, int) {
  unsigned at = *x;
#pragma unroll 1
  for (int i = 0; i < int(steps); i++) at = __ldcg(&y[at * 8ll].x);
  *x = at;
}

// Warps walk down strips of 128 columns of 8192 by 8192 floats, a band each, and copy: so many loads ahead.
// `fmas` products for every 4 bytes on the way.
template <int AHEAD, int FMAS> __device__ __forceinline__ void flow(uint4* y, int shared) {
  const long long pitch = 2048;
  const int from = 8192 * blockIdx.y / gridDim.y, to = 8192 * (blockIdx.y + 1) / gridDim.y;
  const uint4* in = y + blockIdx.x * 32 + threadIdx.x;
  uint4 *out = y + 8192 * pitch + blockIdx.x * 32 + threadIdx.x, next[AHEAD];
#pragma unroll
  for (int i = 0; i < AHEAD; i++) next[i] = __ldg(in + (from + i) * pitch);
#pragma unroll 1
  for (int row = from; row < to; row += AHEAD)
#pragma unroll
    for (int i = 0; i < AHEAD; i++) {
      uint4 now = next[i];
      next[i] = __ldg(in + min(row + i + AHEAD, to - 1) * pitch);
      if (FMAS > 0) {
        float sum[4] = {__uint_as_float(now.x), __uint_as_float(now.y), __uint_as_float(now.z), __uint_as_float(now.w)};
#pragma unroll
        for (int k = 0; k < 4 * FMAS; k++) sum[k % 4] = fmaf(sum[k % 4], __int_as_float(shared), sum[(k + 1) % 4]);
        now = make_uint4(__float_as_uint(sum[0]), __float_as_uint(sum[1]), __float_as_uint(sum[2]), __float_as_uint(sum[3]));
      }
      if (row + i < to) out[(row + i) * pitch] = now;
    }
}
#define FLOW(A) extern "C" __global__ void __launch_bounds__(32) micro_flow_##A(unsigned*, uint4* y, long long, int) { flow<A, 0>(y, 0); }
FLOW(1)
FLOW(2)
FLOW(4)
FLOW(8)
#define BOTH_OF(F) extern "C" __global__ void __launch_bounds__(32) micro_both_##F(unsigned*, uint4* y, long long, int shared) { flow<4, F>(y, shared); }
BOTH_OF(16)
BOTH_OF(32)
BOTH_OF(48)
BOTH_OF(64)
BOTH_OF(96)

// Nothing but to begin and to end; the clock by the timer.
extern "C" __global__ void micro_empty(unsigned*, uint4*, long long, int) {}
extern "C" __global__ void __launch_bounds__(256) micro_clock(unsigned* x, uint4*, long long turns, int shared) {
  long long clock = clock64();
  unsigned long long begin, end;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  chains<FmaShared, 8>(x + 2, int(turns), shared);
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(end));
  if (blockIdx.x == 0 && threadIdx.x == 0) x[0] = unsigned(clock64() - clock), x[1] = unsigned(end - begin);
}

#ifdef MICRO_MAIN
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Kernel = void (*)(unsigned*, uint4*, long long, int);
static unsigned* x;
static uint4* y;
static int sms;
static double clock_ghz;

static void must(cudaError_t e) {
  if (e != cudaSuccess) printf("FAILED %s\n", cudaGetErrorString(e)), exit(1);
}

// The median of some launches in a row, in ns. Two before them are not timed.
static double ns(Kernel kernel, dim3 grid, int threads, long long n, int more, int launches = 9) {
  std::vector<cudaEvent_t> marks(launches + 3);
  for (auto& mark : marks) must(cudaEventCreate(&mark));
  for (auto& mark : marks) {
    kernel<<<grid, threads>>>(x, y, n, more);
    must(cudaEventRecord(mark));
  }
  must(cudaDeviceSynchronize()), must(cudaGetLastError());
  std::vector<float> times;
  for (size_t i = 2; i + 1 < marks.size(); i++) {
    float ms;
    must(cudaEventElapsedTime(&ms, marks[i], marks[i + 1]));
    times.push_back(ms);
  }
  for (auto& mark : marks) must(cudaEventDestroy(mark));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2] * 1e6;
}
static void say(const char* name, double value) { printf("%s %.4g\n", name, value), fflush(stdout); }

// Lanes a clock a multiprocessor, by the difference of two lengths; clocks an instruction of one warp.
static void rate(const char* name, Kernel kernel) {
  const long long turns = 400;
  double time = ns(kernel, dim3(sms * 8), 256, 2 * turns, 3) - ns(kernel, dim3(sms * 8), 256, turns, 3);
  say(name, turns * 256.0 * 256 * 8 / (time * clock_ghz));
}
static void wait(const char* name, Kernel kernel) {
  double time = ns(kernel, dim3(1), 32, 400, 1) - ns(kernel, dim3(1), 32, 200, 1);
  say(name, time * clock_ghz / (200 * 256));
}
// Loops in so many blocks of four warps.
static void body(const char* name, Kernel kernel, int length, int blocks) {
  const int turns = (1 << 21) / length;
  say(name, double(turns) * length * 128 * blocks / (ns(kernel, dim3(sms * blocks), 128, turns, 3) * clock_ghz));
}
static void chase(const char* name, long long lines) {
  micro_ring<<<1024, 256>>>(x, y, lines, 33);
  if (lines < 1 << 20) micro_chase<<<1, 1>>>(x, y, lines, 0);
  say(name, (ns(micro_chase, dim3(1), 1, 24576, 0) - ns(micro_chase, dim3(1), 1, 8192, 0)) / 16384);
}
static void flow(int ahead, Kernel kernel) {
  for (int bands : {2, 4, 8, 16, 32, 64}) {
    char name[64];
    snprintf(name, sizeof name, "flow_ahead_%d_warps_%d", ahead, 64 * bands);
    say(name, 2.0 * 8192 * 8192 * 4 / ns(kernel, dim3(64, bands), 32, 0, 0));
  }
}

static void both(int fmas, Kernel kernel) {
  for (int bands : {16, 32}) {
    char name[64];
    snprintf(name, sizeof name, "both_%d_fmas_warps_%d", fmas, 64 * bands);
    say(name, ns(kernel, dim3(64, bands), 32, 0, 3));
  }
}

int main() {
  cudaDeviceProp device;
  must(cudaGetDeviceProperties(&device, 0));
  sms = device.multiProcessorCount;
  printf("device %s\n", device.name);
  must(cudaMalloc(&x, 4096)), must(cudaMalloc(&y, 1ll << 30)), must(cudaMemset(y, 0, 1ll << 30));
  ns(micro_clock, dim3(sms * 8), 256, 3000, 3, 5);
  unsigned ticks[2];
  must(cudaMemcpy(ticks, x, 8, cudaMemcpyDeviceToHost));
  clock_ghz = double(ticks[0]) / ticks[1];
  say("clock", clock_ghz);
#undef BOTH
#define BOTH(name) rate("rate_" #name, micro_rate_##name), wait("wait_" #name, micro_wait_##name)
  BOTH(fma_shared), BOTH(fma_own), BOTH(add_f32), BOTH(fma_f64), BOTH(fma_own_f64), BOTH(add_i32), BOTH(mad_i32);
  BOTH(shift), BOTH(half_up), BOTH(half_down), BOTH(to_i32), BOTH(power), BOTH(shuffle), BOTH(shared_load);
  rate("rate_max_f32", micro_rate_max_f32), rate("rate_max_i32", micro_rate_max_i32), rate("rate_select", micro_rate_select);
  rate("rate_issue", micro_rate_issue), rate("rate_near_4", micro_rate_near_4), rate("rate_near_16", micro_rate_near_16);
  rate("rate_put_4", micro_rate_put_4), rate("rate_put_one", micro_rate_put_one), rate("rate_mixed", micro_rate_mixed);
  rate("rate_pick", micro_rate_pick);
  rate("rate_barrier", micro_rate_barrier), wait("wait_barrier", micro_rate_barrier);
  for (int blocks : {1, 2, 3, 4}) {
    char name[64];
    snprintf(name, sizeof name, "weights_warps_%d", 4 * blocks);
    body(name, micro_weights, 1024, blocks);
    snprintf(name, sizeof name, "weights_f64_warps_%d", 4 * blocks);
    body(name, micro_weights_f64, 1024, blocks);
    snprintf(name, sizeof name, "body_1024_warps_%d", 4 * blocks);
    body(name, micro_body_1024, 1024, blocks);
  }
#define LONG(N) body("body_" #N, micro_body_##N, N, 4), body("body_" #N "_alone", micro_body_##N, N, 1)
  LONG(512), LONG(1024), LONG(1536), LONG(1920), LONG(2048), LONG(2304), LONG(2560), LONG(3072), LONG(4096), LONG(8192);
  const long long all = 1ll << 24, few = 1ll << 20;
  say("copy_dram", 32.0 * all / ns(micro_copy, dim3(all / 512), 512, all, 1));
  say("read_dram", 16.0 * all / ns(micro_read, dim3(sms * 8), 512, all, 1));
  say("write_dram", 16.0 * all / ns(micro_write, dim3(all / 512), 512, all, 1));
  // The difference of many passes and few over 16 MB, which the second cache holds.
  auto l2 = [&](Kernel kernel, long long n) { return 64 / (ns(kernel, dim3(sms * 4), 512, n, 80) - ns(kernel, dim3(sms * 4), 512, n, 16)); };
  say("copy_l2", 32.0 * (few / 2) * l2(micro_copy, few / 2));
  say("read_l2", 16.0 * few * l2(micro_read, few));
  say("write_l2", 16.0 * few * l2(micro_write, few));
  flow(1, micro_flow_1), flow(2, micro_flow_2), flow(4, micro_flow_4), flow(8, micro_flow_8);
  both(16, micro_both_16), both(32, micro_both_32), both(48, micro_both_48), both(64, micro_both_64), both(96, micro_both_96);
  say("launch", ns(micro_empty, dim3(1), 32, 0, 0, 101));
  for (int threads : {32, 128, 256, 512, 1024}) {
    char name[64];
    snprintf(name, sizeof name, "blocks_of_%d", threads);
    double time = ns(micro_empty, dim3(sms * 2048), threads, 0, 0) - ns(micro_empty, dim3(sms * 1024), threads, 0, 0);
    say(name, time * clock_ghz / 1024);
  }
  chase("chase_dram", 1 << 21);
  chase("chase_l2", 1 << 16);
}
#endif
