"""Makes picture.png: rings, lines of letters and patches of colour, a little out of focus.

    python3 picture.py [PATH]

Integers only, so every machine makes the same pixels.
"""

import math
import pathlib
import struct
import sys
import zlib

WIDTH, HEIGHT = 384, 256


def wave(phase, period):
    """From 0 to 255 and back."""
    half = period // 2
    return abs(phase % period - half) * 255 // half


def rings(x, y):
    """Circles that stand closer the farther out they are."""
    distance = math.isqrt(256 * (x * x + y * y))
    return wave(distance * (1600 + distance) // 1600, 512)


def letters(x, y):
    """Whether ink is at a pixel: cells of 3 x 5 squares, filled at random but the same each time."""
    column, line, left, top = x // 12, y // 20, x % 12 // 3, y % 20 // 3
    if left == 3 or top >= 5:
        return False
    cell = (column * 2654435761 + line * 40503 + 12345) & 0xFFFFFFFF
    cell ^= cell >> 13
    is_space = cell % 6 == 0
    return not is_space and (cell * 2246822519 >> (left + 3 * top)) & 1 == 1


def sky(x, y):
    """A slope of colour behind everything."""
    return 60 + 90 * x // WIDTH, 110 + 60 * y // HEIGHT, 190 - 80 * x // WIDTH


def pixel(x, y):
    """The picture in focus."""
    red, green, blue = sky(x, y)
    if (x - 104) ** 2 + (y - 104) ** 2 < 88**2:
        light = rings(x - 104, y - 104)
        return light, (light + green) // 2, blue
    if 216 <= x < 360 and 24 <= y < 184:
        return (30, 30, 45) if letters(x - 216, y - 24) else (235, 230, 215)
    if 208 <= y < 240 and 24 <= x < 360:
        patch = (x - 24) // 42
        return tuple(220 if patch >> bit & 1 else 40 for bit in range(3))
    return red, green, blue


def blurred(rows):
    """Each value with a quarter of its neighbours, along rows and then along columns."""

    def along(rows):
        def mix(row, n):
            before, after = row[max(n - 1, 0)], row[min(n + 1, len(row) - 1)]
            return tuple((a + 2 * b + c + 2) // 4 for a, b, c in zip(before, row[n], after))

        return [[mix(row, n) for n in range(len(row))] for row in rows]

    turned = list(zip(*along(rows)))
    return list(zip(*along(turned)))


def chunk(name, data):
    body = name + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png(rows):
    """8 bits a colour; each row is stored as its difference from the one above."""
    plain = [bytes(value for triple in row for value in triple) for row in rows]
    above = [bytes(len(plain[0]))] + plain[:-1]
    lines = (b"\2" + bytes((a - b) & 255 for a, b in zip(row, last)) for row, last in zip(plain, above))
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    data = zlib.compress(b"".join(lines), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def main():
    path = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("picture.png")
    rows = [[pixel(x, y) for x in range(WIDTH)] for y in range(HEIGHT)]
    path.write_bytes(png(blurred(rows)))


if __name__ == "__main__":
    main()
