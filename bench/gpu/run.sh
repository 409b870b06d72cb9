#!/bin/sh
# Measures on the first GPU: ./run.sh [WORD…] [--rounds N] [--launches N]. It needs a driver, and no Rust. NVIDIA's libraries
# take part where they are found, in a toolkit or in Python's packages, and cuDNN where Python has PyTorch.
#
# OUT is the folder for the tables, the JSON and the pictures, else `results`.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1
out=${OUT:-results}
# There all names are short: results say how they were made, not where.
mkdir -p "$out" && cd "$out" || exit 1
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,clocks.mem,power.limit,temperature.gpu --format=csv >device.csv 2>&1

packages=$(python3 -c 'import glob, site; print(":".join(d for s in site.getsitepackages() for d in glob.glob(s + "/nvidia/*/lib")))' 2>/dev/null)
LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/usr/local/cuda/lib64${packages:+:$packages}

rm -f cudnn.json
if python3 -c 'import torch' 2>/dev/null; then
  python3 "$here/cudnn.py" cudnn.json "$@" || echo "cuDNN: failed" >&2
else
  echo "cuDNN: absent, python3 has no torch" >&2
fi
if [ -f cudnn.json ]; then set -- --beside cudnn.json "$@"; fi

LD_LIBRARY_PATH=$LD_LIBRARY_PATH "$here/bench-gpu" --out . "$@" >tables.md &
program=$!
tail -f --pid=$program -n +1 tables.md
wait $program
