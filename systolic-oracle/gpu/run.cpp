// Launches random kernels on the first GPU and holds every byte they leave in memory against what must stand there.
//
//   run FOLDER [SEED]
//   run FOLDER --read
//
// The folder holds `cases`, as examples/gpu_cases writes it, and a KEY.cubin each; a kernel without one is left out and
// counted. With a seed, only its kernel runs. A kernel that does not end ends the run. With --read nothing runs, and no GPU is
// needed: the file is read and checked.
#include <cuda.h>
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using u8 = uint8_t;
using u64 = uint64_t;
using Bytes = std::vector<u8>;

constexpr u64 MAGIC = 0x7379'7374'6f6c'6964;
// Nothing may be written so close to an array.
constexpr u64 GUARD = 256;
// More than any case needs: a file that asks for it is broken.
constexpr u64 MOST_ROOM = u64(1) << 32;
// So many seconds a kernel with all its cases.
constexpr unsigned PATIENCE = 60;

[[noreturn]] void stop(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(2);
}

// The driver, found at run time: to build this needs no library of it.
struct Driver {
    void* library = dlopen("libcuda.so.1", RTLD_NOW);

    template <class F>
    F* find(F*, const char* name) const {
        void* found = library ? dlsym(library, name) : nullptr;
        if (!found) stop(std::string("the driver has no ") + name);
        return reinterpret_cast<F*>(found);
    }
};
const Driver driver;

#define NAME(f) NAME_OF(f)
#define NAME_OF(f) #f
#define CALL(f, ...) check(NAME(f), driver.find(&f, NAME(f))(__VA_ARGS__))

struct Failure {
    std::string why;
};

void check(const char* name, CUresult result) {
    if (result != CUDA_SUCCESS) throw Failure{std::string(name) + " failed with " + std::to_string(int(result))};
}

// The file of cases, read front to back.
class File {
public:
    explicit File(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        if (!in) stop("no file " + path);
        bytes_.assign(std::istreambuf_iterator<char>(in), {});
    }

    u64 word() {
        u64 word;
        std::memcpy(&word, take(8), 8);
        return word;
    }

    std::vector<u64> words(u64 count) {
        std::vector<u64> all;
        for (; count > 0; --count) all.push_back(word());
        return all;
    }

    Bytes bytes() {
        const u64 count = word();
        const u8* first = take(count);
        return Bytes(first, first + count);
    }

    std::string text() {
        const Bytes all = bytes();
        return std::string(all.begin(), all.end());
    }

    bool at_end() const { return at_ == bytes_.size(); }

private:
    const u8* take(u64 count) {
        if (count > bytes_.size() - at_) stop("the file of cases ends early");
        at_ += count;
        return bytes_.data() + (at_ - count);
    }

    Bytes bytes_;
    u64 at_ = 0;
};

// Bits of a float's exponent and of its fraction; other types have none.
struct Type {
    u64 size, exponent, fraction;
};

Type type_of(const std::string& name) {
    if (name == "f16") return {2, 0x7c00, 0x03ff};
    if (name == "bf16") return {2, 0x7f80, 0x007f};
    if (name == "f32") return {4, 0x7f80'0000, 0x007f'ffff};
    if (name == "f64") return {8, 0x7ff0'0000'0000'0000, 0x000f'ffff'ffff'ffff};
    if (name == "bool" || name == "i8" || name == "u8") return {1, 0, 0};
    if (name == "i16" || name == "u16") return {2, 0, 0};
    if (name == "i32" || name == "u32") return {4, 0, 0};
    if (name == "i64" || name == "u64") return {8, 0, 0};
    stop("an array of type " + name);
}

bool is_nan(const Type& type, u64 bits) {
    return type.exponent != 0 && (bits & type.exponent) == type.exponent && (bits & type.fraction) != 0;
}

struct Array {
    bool is_output;
    std::string type_name;
    Type type;
    std::vector<u64> shape;
    // Its elements without gaps.
    Bytes before, after;

    u64 row() const { return shape.back() * type.size; }
    u64 rows() const { return after.empty() ? 0 : after.size() / row(); }
};

struct Layout {
    u64 lead, pitch;
};

// Memory beside the arrays: values between blocks, what orders blocks, rows that are kept.
struct Room {
    u64 bytes;
    // Its first bytes before; and whether they are written before every launch, otherwise before the first one.
    Bytes before;
    bool again;
    // What it must hold in the end, if that is known.
    bool known;
    Bytes after;
};

struct Launch {
    std::vector<u64> blocks;
    u64 shared;
    Bytes params;
    // Where in the params the address of a piece of memory is stored: pieces are the arrays, then the rooms.
    std::vector<std::pair<u64, u64>> addresses;
};

// One way to run a kernel.
struct Call {
    std::string entry;
    u64 warps;
    std::vector<Layout> layouts;
    std::vector<Room> rooms;
    std::vector<Launch> launches;

    // Only this entry accesses several elements at once.
    bool is_wide() const { return entry.size() > 5 && entry.compare(entry.size() - 5, 5, "_wide") == 0; }
};

struct Case {
    std::vector<u64> sizes;
    std::vector<Array> arrays;
    std::vector<Call> calls;
};

Room read_room(File& file) {
    Room room;
    room.bytes = file.word();
    room.before = file.bytes();
    room.again = file.word() != 0;
    room.known = file.word() != 0;
    room.after = file.bytes();
    if (room.before.size() > room.bytes || room.bytes > MOST_ROOM) stop("a room is too small or too large");
    if (room.known && room.after.size() != room.bytes) stop("not all bytes of a room are known");
    return room;
}

Launch read_launch(File& file, u64 pieces) {
    Launch launch;
    launch.blocks = file.words(3);
    launch.shared = file.word();
    launch.params = file.bytes();
    if (launch.params.size() % 8 != 0 || launch.params.size() > 4096) stop("params of a wrong length");
    for (u64 left = file.word(); left > 0; --left) {
        const u64 offset = file.word();
        launch.addresses.emplace_back(offset, file.word());
        const auto& [at, piece] = launch.addresses.back();
        if (at % 8 != 0 || at >= launch.params.size() || piece >= pieces) stop("an address that has no place");
    }
    for (u64 count : launch.blocks) {
        if (count == 0 || count >= u64(1) << 31) stop("no blocks, or too many");
    }
    return launch;
}

Call read_call(File& file, u64 arrays) {
    Call call;
    call.entry = file.text();
    call.warps = file.word();
    for (u64 left = arrays; left > 0; --left) {
        const u64 lead = file.word();
        call.layouts.push_back({lead, file.word()});
    }
    for (u64 left = file.word(); left > 0; --left) call.rooms.push_back(read_room(file));
    for (u64 left = file.word(); left > 0; --left) call.launches.push_back(read_launch(file, arrays + call.rooms.size()));
    if (call.warps == 0 || call.warps > 32 || call.launches.empty()) stop("no warps, too many, or no launches");
    return call;
}

Array read_array(File& file) {
    Array array;
    array.is_output = file.word() != 0;
    array.type_name = file.text();
    array.type = type_of(array.type_name);
    array.shape = file.words(file.word());
    array.before = file.bytes();
    array.after = file.bytes();
    u64 bytes = array.type.size;
    for (u64 length : array.shape) bytes *= length;
    if (array.shape.empty() || bytes != array.before.size() || bytes != array.after.size()) {
        stop("an array with more or fewer elements than its shape has");
    }
    return array;
}

Case read_case(File& file) {
    Case made;
    made.sizes = file.words(file.word());
    for (u64 left = file.word(); left > 0; --left) made.arrays.push_back(read_array(file));
    for (u64 left = file.word(); left > 0; --left) made.calls.push_back(read_call(file, made.arrays.size()));
    return made;
}

// All memory of a call, with guards: what it holds before and must hold after, and where its pieces begin.
struct Memory {
    Bytes before, after;
    std::vector<u64> begins;

    Memory(const Case& the, const Call& call) {
        u64 end = GUARD;
        for (u64 k = 0; k < the.arrays.size(); ++k) {
            begins.push_back(end + call.layouts[k].lead);
            end = next(begins[k] + the.arrays[k].rows() * call.layouts[k].pitch);
        }
        for (const Room& room : call.rooms) {
            begins.push_back(end);
            end = next(end + room.bytes);
        }
        // What reads beside an array, or too early, finds no numbers.
        before.assign(end, 0xff);
        after = before;
        for (u64 k = 0; k < the.arrays.size(); ++k) {
            const Array& array = the.arrays[k];
            for (u64 row = 0; row < array.rows(); ++row) {
                const u64 to = begins[k] + row * call.layouts[k].pitch, from = row * array.row();
                put(before, to, array.before, from, array.row());
                put(after, to, array.after, from, array.row());
            }
        }
        for (u64 k = 0; k < call.rooms.size(); ++k) {
            const Room& room = call.rooms[k];
            put(before, begins[the.arrays.size() + k], room.before, 0, room.before.size());
            put(after, begins[the.arrays.size() + k], room.after, 0, room.after.size());
        }
    }

    static void put(Bytes& into, u64 to, const Bytes& all, u64 from, u64 count) {
        for (u64 byte = 0; byte < count; ++byte) into[to + byte] = all[from + byte];
    }

    static u64 next(u64 end) { return (end + GUARD + 255) / 256 * 256; }
};

// Device memory that grows.
class Arena {
public:
    CUdeviceptr with(u64 bytes) {
        if (bytes > size_) {
            if (size_ > 0) CALL(cuMemFree, address_);
            size_ = 0;
            CALL(cuMemAlloc, &address_, 2 * bytes);
            size_ = 2 * bytes;
        }
        return address_;
    }

    // The context it lay in is gone.
    void forget() { size_ = 0; }

private:
    CUdeviceptr address_ = 0;
    u64 size_ = 0;
};

u64 element(const Bytes& memory, u64 at, u64 size) {
    u64 bits = 0;
    std::memcpy(&bits, memory.data() + at, size);
    return bits;
}

// What is wrong in the elements of an output; nothing if nothing is. NaNs are made one.
std::string wrong_element(const Memory& memory, Bytes& found, const Array& array, u64 begin, u64 pitch) {
    for (u64 row = 0; row < array.rows(); ++row) {
        for (u64 k = 0; k < array.shape.back(); ++k) {
            const u64 at = begin + row * pitch + k * array.type.size;
            const u64 wanted = element(memory.after, at, array.type.size), got = element(found, at, array.type.size);
            if (is_nan(array.type, wanted) && is_nan(array.type, got)) {
                std::memcpy(found.data() + at, memory.after.data() + at, array.type.size);
            } else if (wanted != got) {
                char text[160];
                std::snprintf(text, sizeof text, "element %llu of type %s is %llx, not %llx",
                              (unsigned long long)(row * array.shape.back() + k), array.type_name.c_str(),
                              (unsigned long long)got, (unsigned long long)wanted);
                return text;
            }
        }
    }
    return "";
}

// A wide access stores the last elements of a row together with what lies behind them, up to a multiple of 16 bytes.
void spare_behind(const Case& the, const Call& call, const Memory& memory, Bytes& found) {
    for (u64 k = 0; k < the.arrays.size(); ++k) {
        const Array& array = the.arrays[k];
        for (u64 row = 0; array.is_output && row < array.rows(); ++row) {
            const u64 begin = memory.begins[k] + row * call.layouts[k].pitch;
            for (u64 at = begin + array.row(); at < begin + (array.row() + 15) / 16 * 16; ++at) found[at] = memory.after[at];
        }
    }
}

// What a room holds in the end may not be known.
void spare_rooms(const Case& the, const Call& call, const Memory& memory, Bytes& found) {
    for (u64 k = 0; k < call.rooms.size(); ++k) {
        const u64 begin = memory.begins[the.arrays.size() + k];
        if (!call.rooms[k].known) Memory::put(found, begin, memory.after, begin, call.rooms[k].bytes);
    }
}

// What is wrong in the memory that a call has left.
std::string wrong(const Case& the, const Call& call, const Memory& memory, Bytes& found) {
    for (u64 k = 0; k < the.arrays.size(); ++k) {
        if (!the.arrays[k].is_output) continue;
        const std::string why = wrong_element(memory, found, the.arrays[k], memory.begins[k], call.layouts[k].pitch);
        if (!why.empty()) return "array " + std::to_string(k) + ": " + why;
    }
    if (call.is_wide()) spare_behind(the, call, memory, found);
    spare_rooms(the, call, memory, found);
    for (u64 at = 0; at < found.size(); ++at) {
        if (found[at] == memory.after[at]) continue;
        u64 piece = 0;
        while (piece + 1 < memory.begins.size() && memory.begins[piece + 1] <= at) ++piece;
        const bool is_array = piece < the.arrays.size();
        return "byte " + std::to_string(at) + " of memory, which no output has, is wrong; the last piece before it is " +
               (is_array ? "array " : "room ") + std::to_string(is_array ? piece : piece - the.arrays.size());
    }
    return "";
}

// Runs the launches of a call; what is wrong.
std::string run(CUmodule module, const Case& the, const Call& call, Arena& arena) {
    Memory memory(the, call);
    const CUdeviceptr address = arena.with(memory.before.size());
    CUfunction function;
    CALL(cuModuleGetFunction, &function, module, call.entry.c_str());
    CALL(cuMemcpyHtoD, address, memory.before.data(), memory.before.size());
    for (const Launch& launch : call.launches) {
        for (u64 k = 0; k < call.rooms.size(); ++k) {
            const Room& room = call.rooms[k];
            const u64 begin = memory.begins[the.arrays.size() + k];
            if (room.again) CALL(cuMemcpyHtoD, address + begin, room.before.data(), room.before.size());
        }
        Bytes params = launch.params;
        for (const auto& [offset, piece] : launch.addresses) {
            const u64 place = address + memory.begins[piece];
            std::memcpy(params.data() + offset, &place, 8);
        }
        if (launch.shared > 48 << 10) {
            CALL(cuFuncSetAttribute, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, int(launch.shared));
        }
        void* arguments[] = {params.data()};
        const auto blocks = [&](int k) { return unsigned(launch.blocks[k]); };
        CALL(cuLaunchKernel, function, blocks(0), blocks(1), blocks(2), 32, unsigned(call.warps), 1, unsigned(launch.shared),
             nullptr, arguments, nullptr);
    }
    CALL(cuCtxSynchronize);
    Bytes found(memory.before.size());
    CALL(cuMemcpyDtoH, found.data(), address, found.size());
    return wrong(the, call, memory, found);
}

std::string list(const std::vector<u64>& numbers) {
    std::string text;
    for (u64 n : numbers) text += (text.empty() ? "" : ", ") + std::to_string(n);
    return "[" + text + "]";
}

struct Totals {
    u64 kernels = 0, cases = 0, calls = 0, launches = 0, wrong_kernels = 0, wrong_cases = 0, left_out = 0;
};

// The device's first context, made anew after a failure.
void start(CUdevice device) {
    CUcontext context;
    CALL(cuDevicePrimaryCtxRetain, &context, device);
    CALL(cuCtxSetCurrent, context);
}

volatile u64 running = 0;

void give_up(int) {
    std::printf("WRONG seed %llu does not end; what follows it did not run\n", (unsigned long long)running);
    std::fflush(stdout);
    _exit(3);
}

// All cases of a kernel; whether its context is still good.
bool run_kernel(u64 seed, const std::string& code, const std::vector<Case>& cases, Arena& arena, Totals& totals) {
    const u64 wrong_before = totals.wrong_cases;
    std::string doing = "its code";
    bool good = true;
    running = seed;
    alarm(PATIENCE);
    try {
        CUmodule module;
        CALL(cuModuleLoad, &module, code.c_str());
        for (const Case& the : cases) {
            std::string first;
            ++totals.cases;
            for (const Call& call : the.calls) {
                doing = "sizes " + list(the.sizes) + ", " + call.entry;
                ++totals.calls;
                totals.launches += call.launches.size();
                const std::string why = run(module, the, call, arena);
                if (first.empty() && !why.empty()) first = doing + ": " + why;
            }
            if (first.empty()) continue;
            ++totals.wrong_cases;
            std::printf("WRONG seed %llu, %s\n", (unsigned long long)seed, first.c_str());
        }
        CALL(cuModuleUnload, module);
    } catch (const Failure& failure) {
        ++totals.wrong_cases;
        std::printf("WRONG seed %llu, %s: %s\n", (unsigned long long)seed, doing.c_str(), failure.why.c_str());
        good = false;
    }
    alarm(0);
    ++totals.kernels;
    totals.wrong_kernels += totals.wrong_cases > wrong_before;
    std::fflush(stdout);
    return good;
}

std::vector<Case> read_cases(File& file) {
    std::vector<Case> cases;
    for (u64 count = file.word(); count > 0; --count) cases.push_back(read_case(file));
    return cases;
}

// Reads the whole file, and lays out the memory of every call.
int read_all(const std::string& folder) {
    File file(folder + "/cases");
    if (file.word() != MAGIC) stop("the file of cases is none");
    const u64 kernels = file.word();
    u64 cases = 0, calls = 0, launches = 0, bytes = 0;
    for (u64 left = kernels; left > 0; --left) {
        file.word();
        const std::string source = folder + "/" + file.text() + ".cu";
        if (!std::ifstream(source)) stop("no file " + source);
        for (const Case& the : read_cases(file)) {
            ++cases;
            for (const Call& call : the.calls) {
                ++calls;
                launches += call.launches.size();
                const Memory memory(the, call);
                bytes = memory.before.size() > bytes ? memory.before.size() : bytes;
            }
        }
    }
    if (!file.at_end()) stop("the file of cases goes on behind its end");
    using number = unsigned long long;
    std::printf("read %llu kernels, %llu cases, %llu calls, %llu launches; at most %llu bytes of memory\n", number(kernels),
                number(cases), number(calls), number(launches), number(bytes));
    return 0;
}

int run_all(const std::string& folder, const char* only) {
    File file(folder + "/cases");
    if (file.word() != MAGIC) stop("the file of cases is none");
    CALL(cuInit, 0);
    CUdevice device;
    CALL(cuDeviceGet, &device, 0);
    char name[128] = "";
    CALL(cuDeviceGetName, name, int(sizeof name), device);
    start(device);
    signal(SIGALRM, give_up);
    Arena arena;
    Totals totals;
    u64 first = ~u64(0), last = 0;
    for (u64 left = file.word(); left > 0; --left) {
        const u64 seed = file.word();
        const std::string code = folder + "/" + file.text() + ".cubin";
        const std::vector<Case> cases = read_cases(file);
        if (only && std::to_string(seed) != only) continue;
        first = seed < first ? seed : first;
        last = seed;
        if (!std::ifstream(code)) {
            ++totals.left_out;
        } else if (!run_kernel(seed, code, cases, arena, totals)) {
            CALL(cuDevicePrimaryCtxReset, device);
            arena.forget();
            start(device);
        }
    }
    if (!file.at_end()) stop("the file of cases goes on behind its end");
    using number = unsigned long long;
    std::printf("%s, seeds %llu to %llu: %llu kernels, %llu cases, %llu calls, %llu launches; %llu kernels and %llu cases wrong; "
                "%llu kernels without code left out\n",
                name, number(first), number(last), number(totals.kernels), number(totals.cases), number(totals.calls),
                number(totals.launches), number(totals.wrong_kernels), number(totals.wrong_cases), number(totals.left_out));
    return totals.wrong_cases == 0 && totals.kernels > 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 2) stop("usage: run FOLDER [SEED | --read]");
    if (count > 2 && std::string(arguments[2]) == "--read") return read_all(arguments[1]);
    try {
        return run_all(arguments[1], count > 2 ? arguments[2] : nullptr);
    } catch (const Failure& failure) {
        stop(failure.why);
    }
}
