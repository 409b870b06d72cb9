#!/bin/sh
# Compiles the random kernels of a folder and runs them on the first GPU, every result held against the evaluator's, bit by
# bit. It needs nvcc and a driver, and no Rust.
#
#   ./run.sh [FOLDER [SEED]]    the folder that `gpu_cases` wrote, else that of this script; one seed alone
#
# What is compiled already stays. NVCC is the compiler, else the one in PATH or in /usr/local/cuda/bin. ARCH is the device's,
# else sm_90. ONLY=compile needs no GPU: it compiles everything, then reads and checks the cases. ONLY=run needs no compiler where
# all is compiled. Sources of more than MOST bytes, else 100,000, are left out: they take minutes.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
arch=${ARCH:-sm_90}
most=${MOST:-100000}

# The script calls itself for some sources: PTX as the build script has it, then code for the device.
if [ "${1-}" = --some ]; then
    shift
    for source in "$@"; do
        name=${source%.cu}
        [ ! -s "$name.cubin" ] || continue
        # Some kernels have a second PTX, for later architectures.
        later=$(sed -n "s/^$(basename "$name") //p" "$(dirname "$source")/later")
        [ -n "$later" ] && [ "$later" -le "${arch#sm_}" ] || later=75
        "$nvcc" --ptx -arch=compute_$later -std=c++17 -fmad=false -Werror all-warnings -I "$(dirname "$source")" \
            -o "$name.ptx" "$source" &&
            "$(dirname "$nvcc")/ptxas" -arch="$arch" "$name.ptx" -o "$name.part" && mv "$name.part" "$name.cubin" ||
            echo "FAILED to compile $source"
        rm -f "$name.ptx" "$name.part"
    done
    exit
fi

folder=$(cd "${1:-$here}" && pwd) || exit 1
if [ "${ONLY-}" != run ]; then
    "$nvcc" -std=c++17 -O2 -cudart none -o "$folder/run" "$here/run.cpp" -ldl || exit 1
    echo "$(find "$folder" -name 'k_*.cu' -size +"${most}c" | wc -l) sources of more than $most bytes left out"
    find "$folder" -name 'k_*.cu' ! -size +"${most}c" -print0 |
        NVCC=$nvcc ARCH=$arch xargs -0 -r -P "$(nproc)" -n 8 "$here/run.sh" --some >"$folder/compile.log" 2>&1
    grep -h FAILED "$folder/compile.log"
    echo "$(find "$folder" -name '*.cubin' | wc -l) kernels compiled, $(grep -c FAILED "$folder/compile.log") failed"
fi
if [ "${ONLY-}" = compile ]; then
    "$folder/run" "$folder" --read
    exit
fi
"$folder/run" "$folder" ${2+"$2"} || exit 1
! grep -qs FAILED "$folder/compile.log"
