"""Filters an image by SciPy and by OpenCV, and says how long each took.

First one line a peer, `name<TAB>version …` or `name<TAB>not installed`, then an empty line. Then one answer a request:
`ok …`, or why not. Requests, their parts between tabs:

    image PATH ROWS COLUMNS    the image, floats in a file
    filter PATH SIDE           the weights
    run PEER CORES PATH        seconds; the result goes to PATH unless that is empty
"""
import os
import sys
import time

# Only those named are to use more than one core.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

try:
    import numpy
except ImportError:
    numpy = None


def scipy(image, weights, cores, out):
    from scipy import ndimage

    start = time.perf_counter()
    ndimage.correlate(image, weights, output=out, mode="nearest")
    return time.perf_counter() - start, out


def opencv(image, weights, cores, out):
    import cv2

    cv2.setNumThreads(cores)
    start = time.perf_counter()
    out = cv2.filter2D(image, -1, weights, dst=out, borderType=cv2.BORDER_REPLICATE)
    return time.perf_counter() - start, out


PEERS = {"SciPy": ("scipy", scipy), "OpenCV": ("cv2", opencv)}


def found(module):
    try:
        return "version " + __import__(module).__version__ if numpy else "not installed"
    except ImportError:
        return "not installed"


class State:
    image = weights = out = None


def answer(words):
    if words[0] == "image":
        State.image = numpy.fromfile(words[1], numpy.float32).reshape(int(words[2]), int(words[3]))
        State.out = numpy.zeros_like(State.image)
        return ""
    if words[0] == "filter":
        State.weights = numpy.fromfile(words[1], numpy.float32).reshape(int(words[2]), -1)
        return ""
    _, peer, cores, path = words
    if path:
        State.out.fill(numpy.nan)
    seconds, out = PEERS[peer][1](State.image, State.weights, int(cores), State.out)
    if path:
        out.tofile(path)
    return repr(seconds)


for name, (module, _) in PEERS.items():
    print(f"{name}\t{found(module)}", flush=True)
print(flush=True)
for line in sys.stdin:
    try:
        print("ok", answer(line.rstrip("\n").split("\t")), flush=True)
    except Exception as why:
        print("failed:", repr(why).replace("\n", " "), flush=True)
