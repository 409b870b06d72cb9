"""Derives every constant of src/elementary/table.rs and prints that file.

Only the standard library is used. Each polynomial interpolates its function at
Chebyshev nodes in 80-digit decimal arithmetic, and is then rounded coefficient by
coefficient; the printed error is the one of the rounded polynomial, relative to the
function it serves (exp or ln), without the rounding errors of evaluating it.
"""

import struct
from decimal import Decimal as D, getcontext

getcontext().prec = 80
PI = D("3.14159265358979323846264338327950288419716939937510582097494459230781640628621")


def cosine(x):
    """cos by its Taylor series."""
    term = total = D(1)
    for n in range(1, 200):
        term = -term * x * x / ((2 * n - 1) * (2 * n))
        total += term
    return total


def exp_rest(r):
    """(e^r - 1 - r) / r^2, by its series: no cancellation near 0."""
    term = D(1) / 2
    total = term
    for n in range(3, 80):
        term = term * r / n
        total += term
    return total


def ln_rest(f):
    """(ln(1 + f) - f + f^2/2) / f^3, by its series; |f| stays below 0.42."""
    total, power = D(0), D(1)
    for n in range(3, 260):
        total += power / n if n % 2 else -power / n
        power *= f
    return total


def atanh_rest(z):
    """(2 atanh(s) / s - 2) / z where z = s^2."""
    total, power = D(0), D(1)
    for n in range(1, 80):
        total += 2 * power / (2 * n + 1)
        power *= z
    return total


def interpolate(function, low, high, degree):
    """The coefficients, constant first, of the polynomial through the Chebyshev nodes."""
    count = degree + 1
    nodes = [
        (low + high) / 2 + (high - low) / 2 * cosine(PI * (2 * k + 1) / (2 * count))
        for k in range(count)
    ]
    table = [function(x) for x in nodes]
    for level in range(1, count):
        for k in range(count - 1, level - 1, -1):
            table[k] = (table[k] - table[k - 1]) / (nodes[k] - nodes[k - level])
    coefficients = [D(0)] * count
    for k in range(count - 1, -1, -1):
        shifted = [D(0)] + coefficients[:-1]
        coefficients = [s - nodes[k] * c for s, c in zip(shifted, coefficients)]
        coefficients[0] += table[k]
    return coefficients


def to_f32(x):
    return struct.unpack("<f", struct.pack("<f", float(x)))[0]


def rounded(x, width):
    return to_f32(x) if width == 32 else float(x)


def show(x, width):
    form = ("<f", "<I") if width == 32 else ("<d", "<Q")
    bits = struct.unpack(form[1], struct.pack(form[0], x))[0]
    digits = f"{bits:0{width // 4}x}"
    grouped = "_".join(digits[k : k + 4] for k in range(0, len(digits), 4))
    return f"f{width}::from_bits(0x{grouped})"


def constant(name, value, width, text):
    print(f"    /// {text}")
    print(f"    pub const {name}: f{width} = {show(rounded(value, width), width)};")


def polynomial(name, function, low, high, degree, width, weight, text):
    coefficients = [rounded(c, width) for c in interpolate(function, low, high, degree)]
    worst = D(0)
    for k in range(2001):
        x = low + (high - low) * k / 2000
        value = D(0)
        for c in reversed(coefficients):
            value = value * x + D(c)
        worst = max(worst, abs((value - function(x)) * weight(x)))
    size = (worst.ln() / LN2).quantize(D("0.1"))
    print(f"    /// {text}, constant term first.")
    print(f"    /// The relative error it leaves is 2^{size}.")
    print(f"    pub const {name}: [f{width}; {degree + 1}] = [")
    for c in coefficients:
        print(f"        {show(c, width)}, // {c:.9g}")
    print("    ];")


def ln_weight(f):
    """Turns an error of ln_rest into a relative error of ln(1 + f)."""
    return f * f / (1 - f / 2 + f * f * ln_rest(f))


def atanh_weight(z):
    """Turns an error of atanh_rest into a relative error of 2 atanh(s)."""
    return z / (2 + z * atanh_rest(z))


LN2 = D(2).ln()
ROOT = D(2).sqrt()
REACH = LN2 / 2 + D("0.0001")
SQUARE = ((ROOT - 1) / (ROOT + 1)) ** 2

print("//! The constants of [`exp`](super) and [`ln`](super), as bits: every executor reads the same ones.")
print("//! Written by `tools/coefficients.py`, which derives them.")
for width, name, exp_degree in ((32, "single", 5), (64, "double", 10)):
    print()
    print(f"/// For `f{width}`.")
    print(f"pub mod {name} {{")
    low = rounded(LN2, width)
    constant("LOG2_E", 1 / LN2, width, "1 / ln 2.")
    constant("LN_2_HIGH", LN2, width, "ln 2, rounded.")
    constant("LN_2_LOW", LN2 - D(low), width, "ln 2 less `LN_2_HIGH`, rounded.")
    constant("ROOT_HALF", 1 / ROOT, width, "The square root of 1/2: where `ln` splits the binades.")
    polynomial(
        "EXP", exp_rest, -REACH, REACH, exp_degree, width,
        lambda r: r * r / (1 + r + r * r * exp_rest(r)),
        "(e^r - 1 - r) / r^2 for |r| up to ln(2) / 2",
    )
    if width == 32:
        polynomial(
            "LN", ln_rest, 1 / ROOT - 1, ROOT - 1, 8, width, ln_weight,
            "(ln(1 + f) - f + f^2/2) / f^3 for 1 + f between the roots of 1/2 and 2",
        )
    else:
        polynomial(
            "LN", atanh_rest, D(0), SQUARE, 6, width, atanh_weight,
            "(2 atanh(s) / s - 2) / s^2 as a polynomial in s^2, for |s| up to 3 - sqrt(8)",
        )
    print("}")
