#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the table of powers of ten in proto/json/floats.c.

Entry k is g(k) = ceil(10^k / 2^(floor(log2 10^k) - 63)), a 64-bit number with its top bit set, for
k = -31..45: all that float32 needs (R. Giulietti, "The Schubfach way to render doubles").

    tools/gen-float-table.py                           prints the table
    tools/gen-float-table.py --check proto/json/floats.c   exits 1 when the file holds another one
"""
import re
import sys
from fractions import Fraction

FIRST, LAST = -31, 45


def entry(k):
    power = Fraction(10) ** k
    exponent = 0
    while Fraction(2) ** (exponent + 1) <= power:
        exponent += 1
    while Fraction(2) ** exponent > power:
        exponent -= 1
    scaled = power / Fraction(2) ** (exponent - 63)
    value = -(-scaled.numerator // scaled.denominator)
    assert 1 << 63 <= value < 1 << 64
    return value


def table():
    return [entry(k) for k in range(FIRST, LAST + 1)]


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        with open(sys.argv[2], encoding="utf-8") as file:
            body = file.read().split("float_powers[", 1)[1].split("};", 1)[0]
        found = [int(word, 16) for word in re.findall(r"0x([0-9a-f]{16})u\b", body)]
        if found != table():
            sys.exit("%s: the table is not the one that this script makes" % sys.argv[2])
        return
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    values = ["0x%016xu" % value for value in table()]
    for i in range(0, len(values), 4):
        print("    " + ", ".join(values[i : i + 4]) + ",")


if __name__ == "__main__":
    main()
