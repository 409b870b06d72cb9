// Runs a group on the GPU and compares: first and second operand in every combination, the third goes along.
static size_t cases = 0, wrong = 0;

static void must(cudaError_t code) {
    if (code != cudaSuccess) {
        printf("CUDA: %s\n", cudaGetErrorString(code));
        exit(2);
    }
}

template <typename T>
T* on_device(const T* from, size_t count) {
    T* to = nullptr;
    must(cudaMalloc(&to, count * sizeof(T)));
    must(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice));
    return to;
}

// Says the first few that are wrong.
static void judge(const char* name, size_t k, bool right, u64 got, u64 wanted) {
    cases += 1;
    if (!right) {
        wrong += 1;
        if (wrong <= 100) {
            printf("wrong: %s, case %zu: %llx, not %llx\n", name, k, got, wanted);
        }
    }
}

template <typename T>
bool is_nan(u64 bits) {
    if (!is_float<T>) {
        return false;
    }
    const u64 infinity = same<T, f16> ? 0x7c00 : same<T, bf16> ? 0x7f80 : same<T, f32> ? 0x7f800000 : 0x7ffull << 52;
    return (bits & ~(1ull << (8 * sizeof(T) - 1))) > infinity;
}

template <typename Case>
__global__ void all(const u64* a, size_t as, const u64* b, size_t bs, const u64* c, size_t cs, u64* out, size_t count) {
    const size_t k = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
    if (k < count) {
        const size_t i = k % as, j = k / as;
        out[k] = Case::run(a[i], b[j % bs], c[(5 * i + 7 * j) % cs]);
    }
}

template <typename Case>
void check(const char* name, const std::vector<u64>& a, const std::vector<u64>& b, const std::vector<u64>& c,
           size_t count, const Bits<typename Case::Result>* expected) {
    u64* operands[3] = {on_device(a.data(), a.size()), on_device(b.data(), b.size()), on_device(c.data(), c.size())};
    std::vector<u64> results(count);
    u64* out = on_device(results.data(), count);
    all<Case><<<static_cast<unsigned>((count + 127) / 128), 128>>>(operands[0], a.size(), operands[1], b.size(),
                                                                   operands[2], c.size(), out, count);
    must(cudaGetLastError());
    must(cudaMemcpy(results.data(), out, count * sizeof(u64), cudaMemcpyDeviceToHost));
    for (size_t k = 0; k < count; ++k) {
        const bool both = is_nan<typename Case::Result>(results[k]) && is_nan<typename Case::Result>(expected[k]);
        judge(name, k, both || results[k] == expected[k], results[k], expected[k]);
    }
    for (u64* operand : operands) {
        must(cudaFree(operand));
    }
    must(cudaFree(out));
}

// A warp takes elements by wide loads, passes them on by a shuffle and stores them by wide stores, last one first.
template <typename T, int N>
__global__ void pass(const T* from, T* to) {
    const Wide<T, N> taken = load<N>(from + N * threadIdx.x);
    Wide<T, N> given;
    for (int k = 0; k < N; ++k) {
        given.at[N - 1 - k] = shuffle(taken.at[k], static_cast<i32>(threadIdx.x) + 5);
    }
    store(to + N * threadIdx.x, given);
}

// The same elements one at a time.
template <typename T>
__global__ void pass_single(const T* from, T* to) {
    to[threadIdx.x] = shuffle(load(from + threadIdx.x), static_cast<i32>(threadIdx.x) + 5);
}

template <typename T, int N>
void wire(const char* name) {
    using U = Bits<T>;
    std::vector<U> values(32 * N), results(32 * N);
    for (size_t k = 0; k < values.size(); ++k) {
        values[k] = static_cast<U>(same<T, bool> ? k * k / 3 % 2 : (k + 1) * 0x9e3779b97f4a7c15ull);
    }
    U* from = on_device(values.data(), values.size());
    U* to = on_device(results.data(), results.size());
    if (N == 1) {
        pass_single<T><<<1, 32>>>(reinterpret_cast<const T*>(from), reinterpret_cast<T*>(to));
    } else {
        pass<T, N><<<1, 32>>>(reinterpret_cast<const T*>(from), reinterpret_cast<T*>(to));
    }
    must(cudaGetLastError());
    must(cudaMemcpy(results.data(), to, results.size() * sizeof(U), cudaMemcpyDeviceToHost));
    for (size_t k = 0; k < results.size(); ++k) {
        const U wanted = values[(k / N + 5) % 32 * N + N - 1 - k % N];
        judge(name, k, results[k] == wanted, results[k], wanted);
    }
    must(cudaFree(from));
    must(cudaFree(to));
}

template <typename T, int N = 1>
void wires_of(const char* name) {
    wire<T, N>(name);
    if constexpr (sizeof(T) * N < 16) {
        wires_of<T, 2 * N>(name);
    }
}

void wires() {
    wires_of<f16>("wires of f16");
    wires_of<bf16>("wires of bf16");
    wires_of<f32>("wires of f32");
    wires_of<f64>("wires of f64");
    wires_of<i8>("wires of i8");
    wires_of<i16>("wires of i16");
    wires_of<i32>("wires of i32");
    wires_of<i64>("wires of i64");
    wires_of<u8>("wires of u8");
    wires_of<u16>("wires of u16");
    wires_of<u32>("wires of u32");
    wires_of<u64>("wires of u64");
    wires_of<bool>("wires of bool");
}

int report() {
    cudaDeviceProp device;
    must(cudaGetDeviceProperties(&device, 0));
    printf("%s: %zu cases, %zu wrong\n", device.name, cases, wrong);
    return wrong == 0 && cases > 0 ? 0 : 1;
}

