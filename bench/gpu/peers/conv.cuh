// A strip of columns in the registers of a warp: every lane has F of them, and reaches those of the lanes to its right.
#pragma once
#include <type_traits>
#include <utility>

template <int P, int Q> struct Filter { float w[P][Q]; };

template <class Body, int... I> __device__ __forceinline__ void each(Body&& body, std::integer_sequence<int, I...>) {
  (body(std::integral_constant<int, I>{}), ...);
}

// F elements from a place that is aligned to A of them.
template <int F, int A = 4> __device__ __forceinline__ void read(float (&to)[F], const float* from) {
#pragma unroll
  for (int j = 0; j < F; j += A) {
    if constexpr (A == 4) {
      float4 v = __ldg(reinterpret_cast<const float4*>(from + j));
      to[j] = v.x, to[j + 1] = v.y, to[j + 2] = v.z, to[j + 3] = v.w;
    } else {
      float2 v = __ldg(reinterpret_cast<const float2*>(from + j));
      to[j] = v.x, to[j + 1] = v.y;
    }
  }
}

template <int F> __device__ __forceinline__ void write(float* to, const float (&from)[F]) {
#pragma unroll
  for (int j = 0; j < F; j += 4)
    __stcs(reinterpret_cast<float4*>(to + j), make_float4(from[j], from[j + 1], from[j + 2], from[j + 3]));
}

// One row of a strip: the lane's own F columns, and in the first lanes what lies behind the strip.
template <int Q, int F, int A = 4> struct Row {
  static constexpr int REACH = (Q - 1 + F - 1) / F;
  float own[F], rim[F];
  __device__ __forceinline__ void load(const float* from, int lane) {
    read<F, A>(own, from);
    if (lane < REACH) read<F, A>(rim, from + 32 * F);
  }
  // The F + Q - 1 columns that the lane needs. Lane d hands its rim to the lanes that wrap around: nobody else asks it.
  __device__ __forceinline__ void spread(float (&x)[F + Q - 1], int lane) const {
#pragma unroll
    for (int i = 0; i < F + Q - 1; i++) {
      const int d = i / F;
      x[i] = d == 0 ? own[i] : __shfl_sync(~0u, lane < d ? rim[i % F] : own[i % F], (lane + d) & 31);
    }
  }
};
