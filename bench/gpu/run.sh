#!/bin/sh
# Measures on the first GPU: ./run.sh [WORD…] [--rounds N] [--launches N]. It needs a driver, and no Rust. NVIDIA's libraries
# take part where they are found, in a toolkit or in Python's packages, and cuDNN where Python has PyTorch.
#
#   ./run.sh sizes [WORD…]       our maps at many sizes, every bit held against the reference; nothing is timed or written
#   ./run.sh sanitize [WORD…]    the same under compute-sanitizer
#
# OUT is the folder for the tables, the JSON and the pictures, else `results`. They take the place of those of an earlier run when
# all went well; a run that fails, is refused or is stopped says so, and lies in `failed` there.
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1
case ${1-} in
sizes) shift && exec "$here/bench-gpu" --sizes "$@" ;;
sanitize) shift && exec compute-sanitizer --report-api-errors no --error-exitcode 3 "$here/bench-gpu" --sizes "$@" ;;
esac
out=${OUT:-results}
mkdir -p "$out" && out=$(cd "$out" && pwd) && run=$(mktemp -d "$out/.run.XXXXXX") || exit 1
# There all names are short: results say how they were made, not where.
cd "$run" || exit 1

program= screen=
fail() {
  rm -rf "$out/failed"
  mv "$run" "$out/failed"
  echo "bench-gpu $1: the results in $out are as they were, what this run wrote is in $out/failed" >&2
  exit "$2"
}
stop() {
  trap '' HUP INT TERM
  for process in $program $screen; do kill "$process" 2>/dev/null; done
  fail "was stopped" 130
}
trap stop HUP INT TERM

nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm,clocks.mem,power.limit,temperature.gpu --format=csv >device.csv 2>&1

packages=$(python3 -c 'import glob, site; print(":".join(d for s in site.getsitepackages() for d in glob.glob(s + "/nvidia/*/lib")))' 2>/dev/null)
LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/usr/local/cuda/lib64${packages:+:$packages}

# What takes long runs beside the script, which waits: so a signal reaches it at once.
if python3 -c 'import torch' 2>/dev/null; then
  python3 "$here/cudnn.py" cudnn.json "$@" &
  program=$!
  wait $program || echo "cuDNN: failed" >&2
else
  echo "cuDNN: absent, python3 has no torch" >&2
fi
if [ -f cudnn.json ]; then set -- --beside cudnn.json "$@"; fi

: >tables.md
LD_LIBRARY_PATH=$LD_LIBRARY_PATH "$here/bench-gpu" --out . "$@" >tables.md &
program=$!
tail -f --pid=$program -n +1 tables.md &
screen=$!
wait $program
status=$?
wait $screen
program= screen=
if [ $status -ne 0 ]; then fail "ended with $status" $status; fi
trap '' HUP INT TERM
rm -rf "$out/failed" "$out/cudnn.json"
mv -f ./* "$out" && rmdir "$run"
