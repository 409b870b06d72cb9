"""cuDNN through PyTorch: 2-D convolution of one channel of f32. Verified first, then timed; times as JSON into a file.

python3 cudnn.py FILE [WORD…] [--rounds N] [--launches N]: only the contests whose name holds a word, else all.
"""

import argparse
import json
import sys

import torch

SIDE = 8192
FILTERS = (3, 5, 7, 9, 13, 19, 20)
MARGIN = 1e-5


def expected(image, weights):
    """The sum, one weight after another, in f64."""
    total = torch.zeros(SIDE, SIDE, device="cuda", dtype=torch.float64)
    for p, row in enumerate(weights.double()):
        for q, weight in enumerate(row):
            total += image[p : p + SIDE, q : q + SIDE].double() * weight
    return total


def milliseconds(run, launches):
    """The median of some launches on the device's clock."""
    run()
    marks = [torch.cuda.Event(enable_timing=True) for _ in range(launches + 1)]
    marks[0].record()
    for mark in marks[1:]:
        run()
        mark.record()
    torch.cuda.synchronize()
    times = sorted(a.elapsed_time(b) for a, b in zip(marks, marks[1:]))
    return times[launches // 2]


def measure(size, rounds, launches):
    image = torch.rand(SIDE + size - 1, SIDE + size - 1, device="cuda") * 2 - 1
    weights = torch.rand(size, size, device="cuda") * 2 - 1
    run = lambda: torch.nn.functional.conv2d(image[None, None], weights[None, None])
    off = (run()[0, 0].double() - expected(image, weights)).abs().max().item()
    margin = MARGIN * weights.abs().sum().item()
    # Not the other way round: a NaN is not close.
    if not off <= margin:
        return {"failed": f"an element is off by {off:e}, over {margin:e}"}
    return {"times": [milliseconds(run, launches) for _ in range(rounds)]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--launches", type=int, default=5)
    plan = parser.parse_intermixed_args()
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    results = {}
    for size in FILTERS:
        title = f"conv2d {size}×{size} f32"
        if plan.words and not any(word in title for word in plan.words):
            continue
        print(f"{title}: cuDNN", file=sys.stderr, flush=True)
        try:
            with torch.no_grad():
                outcome = measure(size, plan.rounds, plan.launches)
        except RuntimeError as why:
            outcome = {"failed": str(why).splitlines()[0]}
        results[title] = {"cuDNN": outcome}
    with open(plan.file, "w") as file:
        json.dump(results, file, indent=1, ensure_ascii=False)


main()
