"""Derives every constant of src/elementary/table.rs and prints that file.

Only the standard library is used. Each polynomial interpolates its function at
Chebyshev nodes in 80-digit decimal arithmetic, and is then rounded coefficient by
coefficient; the printed error is the one of the rounded polynomial, relative to the
function it serves (such as exp or sin), without the rounding errors of evaluating it.
"""

import struct
from decimal import Decimal as D, getcontext

getcontext().prec = 80
PI = D("3.14159265358979323846264338327950288419716939937510582097494459230781640628621")

# The bits of 2/pi after the point that the table holds.
PI_BITS = 19 * 64


def two_over_pi():
    """2/pi times 2^PI_BITS, rounded down, with pi by Machin's formula on integers."""
    spare = 64
    one = 1 << (PI_BITS + spare)

    def arctangent_of_one_over(n):
        term, total, k, sign = one // n, 0, 1, 1
        while term:
            total += sign * (term // k)
            term //= n * n
            k, sign = k + 2, -sign
        return total

    pi = 4 * (4 * arctangent_of_one_over(5) - arctangent_of_one_over(239))
    return (2 * one * one // pi) >> spare


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


def atanh_tail(z):
    """(atanh(s) / s - 1 - z/3) / z^2 where z = s^2."""
    total, power = D(0), D(1)
    for n in range(80):
        total += power / (2 * n + 5)
        power *= z
    return total


def sin_rest(z):
    """(sin(r) / r - 1) / z where z = r^2."""
    return series(z, D(-1) / 6, lambda n: (2 * n + 2) * (2 * n + 3))


def cos_rest(z):
    """(cos(r) - 1 + z/2) / z^2 where z = r^2."""
    return series(z, D(1) / 24, lambda n: (2 * n + 3) * (2 * n + 4))


def series(z, first, divisor):
    """A sum in which each term is the one before times -z over a divisor."""
    term = total = first
    for n in range(1, 60):
        term = -term * z / divisor(n)
        total += term
    return total


def sinh_rest(z):
    """(sinh(r) / r - 1) / z where z = r^2."""
    return -sin_rest(-z)


def atan_rest(z):
    """(atan(s) / s - 1) / z where z = s^2 is at most 0.2."""
    total, power = D(0), D(-1)
    for n in range(120):
        total += power / (2 * n + 3)
        power *= -z
    return total


def arctangent(x):
    """atan for a positive x, from that of a smaller argument."""
    if x > D("0.1"):
        return 2 * arctangent(x / (1 + (1 + x * x).sqrt()))
    return x * (1 + x * x * atan_rest(x * x))


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


def parts(name, value, count, width, text):
    """The value as a sum of floats, each of them the rest of those before it, rounded."""
    rest, found = value, []
    for _ in range(count):
        found.append(rounded(rest, width))
        rest -= D(found[-1])
    array(name, found, width, text)


def array(name, values, width, text):
    print(f"    /// {text}")
    print(f"    pub const {name}: [f{width}; {len(values)}] = [")
    for value in values:
        print(f"        {show(value, width)}, // {value:.9g}")
    print("    ];")


LN2 = D(2).ln()
ROOT = D(2).sqrt()
REACH = LN2 / 2 + D("0.0001")
SQUARE = ((ROOT - 1) / (ROOT + 1)) ** 2
EIGHTH = (PI / 4 + D("0.002")) ** 2
BASES = [D(0), arctangent(D("0.5")), PI / 4, arctangent(D("1.5")), PI / 2]

print("//! The constants of the [elementary functions](super), as bits: every executor reads the same ones.")
print("//! Written by `tools/coefficients.py`, which derives them.")
print()
print("/// A word of zeros, and the bits of 2/pi after the point.")
print("pub const TWO_OVER_PI_BITS: [u64; 20] = [")
for k in range(-1, 19):
    word = two_over_pi() >> (PI_BITS - 64 * (k + 1)) & (2**64 - 1) if k >= 0 else 0
    digits = f"{word:016x}"
    print(f"    0x{'_'.join(digits[j : j + 4] for j in range(0, 16, 4))},")
print("];")
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
    wide = width == 64
    constant("LOG2_E_LOW", 1 / LN2 - D(rounded(1 / LN2, width)), width, "1 / ln 2 less `LOG2_E`, rounded.")
    parts("THIRD", D(1) / 3, 2, width, "1/3 as a sum.")
    polynomial(
        "ATANH", atanh_tail, D(0), SQUARE, 7 if wide else 3, width, lambda z: z * z / (1 + z / 3 + z * z * atanh_tail(z)),
        "(atanh(s) / s - 1 - s^2/3) / s^4 as a polynomial in s^2, for |s| up to 3 - sqrt(8)",
    )
    constant("TWO_OVER_PI", 2 / PI, width, "2 / pi.")
    parts("HALF_PI", PI / 2, 3, width, "pi / 2 as a sum.")
    polynomial(
        "SIN", sin_rest, D(0), EIGHTH, 6 if wide else 3, width, lambda z: z / (1 + z * sin_rest(z)),
        "(sin(r) / r - 1) / r^2 as a polynomial in r^2, for |r| up to pi/4",
    )
    polynomial(
        "COS", cos_rest, D(0), EIGHTH, 6 if wide else 3, width, lambda z: z * z / (1 - z / 2 + z * z * cos_rest(z)),
        "(cos(r) - 1 + r^2/2) / r^4 as a polynomial in r^2, for |r| up to pi/4",
    )
    polynomial(
        "SINH", sinh_rest, D(0), D(1), 7 if wide else 3, width, lambda z: z / (1 + z * sinh_rest(z)),
        "(sinh(r) / r - 1) / r^2 as a polynomial in r^2, for |r| up to 1",
    )
    polynomial(
        "ATAN", atan_rest, D(0), D("0.1915"), 11 if wide else 4, width, lambda z: z / (1 + z * atan_rest(z)),
        "(atan(s) / s - 1) / s^2 as a polynomial in s^2, for |s| up to 7/16",
    )
    highs = [rounded(base, width) for base in BASES]
    array("ATAN_HIGH", highs, width, "atan of 0, 1/2, 1, 3/2 and infinity, rounded.")
    lows = [rounded(base - D(high), width) for base, high in zip(BASES, highs)]
    array("ATAN_LOW", lows, width, "What `ATAN_HIGH` lacks, rounded.")
    print("}")
