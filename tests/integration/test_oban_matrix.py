# SPDX-License-Identifier: MIT
"""`oban matrix`: the eight examples of the wiki's page, quaternions of the file's sense, and the way back."""
import math

import pytest

from oban_tool import as_json, good, numbers, refused, run

# Euler degrees and the numbers that the page gives; the last three are 0.
WIKI = [
    ((0, 0, 0), "1 0 0 0 1 0 0 0 1"),
    ((60, 0, 0), "1 0 0 0 0.5 0.8660254 0 -0.8660254 0.5"),
    ((0, 60, 0), "0.5 0 -0.8660254 0 1 0 0.8660254 0 0.5"),
    ((0, 0, 60), "0.5 0.8660254 0 -0.8660254 0.5 0 0 0 1"),
    ((60, 40, 0), "0.7660444 0.5566704 -0.321393818 0 0.5 0.8660254 0.6427877 -0.663413942 0.3830222"),
    ((60, 0, 40), "0.7660444 0.321393818 0.5566704 -0.6427877 0.3830222 0.663413942 0 -0.8660254 0.5"),
    ((0, 60, 40), "0.3830222 0.6427877 -0.663413942 -0.321393818 0.7660444 0.5566704 0.8660254 0 0.5"),
    ((60, 40, 20), "0.719846249 0.6941092 -0.005813241 -0.262002677 0.279453874 0.9237208 0.642787635 -0.6634138 0.3830223"),
]


def near(found, wanted, slack):
    assert len(found) == len(wanted)
    assert all(abs(a - b) <= slack for a, b in zip(found, wanted)), (found, wanted)


@pytest.mark.parametrize("euler,wanted", WIKI)
def test_the_examples_of_the_wiki(euler, wanted):
    wanted = numbers(wanted) + [0, 0, 0]
    near(numbers(good("matrix", "--euler", *euler)), wanted, 2e-7)
    near(as_json("matrix", "--euler", *euler)["matrix"], wanted, 2e-7)


@pytest.mark.parametrize("euler,wanted", WIKI)
def test_back_to_the_angles(euler, wanted):
    parts = as_json("matrix", *wanted.split())
    near(parts["euler"], euler, 5e-5)
    near(parts["scale"], [1, 1, 1], 1e-5)
    assert not parts["mirrored"] and not parts["sheared"]
    near(numbers(good("matrix", "--quat", *parts["quat"])), numbers(wanted) + [0, 0, 0], 3e-7)
    near(numbers(good("matrix", "--axis", *parts["axis"])), numbers(wanted) + [0, 0, 0], 1e-6)


def test_the_quaternion_has_the_files_sense():
    """A key with x = 60 holds (0.5, 0, 0, -0.8660254); its negative is the same rotation, and length means nothing."""
    wanted = numbers(good("matrix", "--euler", 60, 0, 0))
    for quat in ((0.5, 0, 0, -0.8660254), (-0.5, 0, 0, 0.8660254), (50, 0, 0, -86.60254)):
        near(numbers(good("matrix", "--quat", *quat)), wanted, 2e-7)


def test_quarter_turns_are_exact_and_there_is_no_minus_zero():
    assert good("matrix", "--euler", 0, 90, 0).strip() == "0 0 -1 0 1 0 1 0 0 0 0 0"
    assert good("matrix", "--euler", -90, 0, 360).strip() == "1 0 0 0 0 -1 0 1 0 0 0 0"
    assert good("matrix", "--axis", 0, 0, 5, 180).strip() == "-1 0 0 0 -1 0 0 0 1 0 0 0"


def test_position_and_scale():
    assert good("matrix", "--euler", 0, 0, 0, "--position", 1, -2, 3.5, "--scale", 2).strip() == "2 0 0 0 2 0 0 0 2 1 -2 3.5"


def test_a_mirror_and_a_shear_are_told():
    assert as_json("matrix", 1, 0, 0, 0, 1, 0, 0, 0, -1)["mirrored"]
    assert as_json("matrix", 1, 0, 0, 0.5, 1, 0, 0, 0, 1)["sheared"]


def test_angles_of_many_matrices_come_back():
    for step in range(-8, 9):
        euler = (20.0 * step, 10.0 * step, -15.0 * step)
        matrix = good("matrix", "--euler", *euler).split()
        again = as_json("matrix", *matrix)["euler"]
        near(numbers(good("matrix", "--euler", *again)), [float(m) for m in matrix], 2e-6)


@pytest.mark.parametrize("words", [("--quat", 0, 0, 0, 0), ("--axis", 0, 0, 0, 30), (1, 0, 0, 2, 0, 0, 0, 0, 1),
                                   ("--euler", 1, 2, 3, "--position", 1e39, 0, 0)])
def test_what_has_no_meaning_is_refused(words):
    (line,) = refused("matrix", *words)
    assert line.count(": ") >= 2


@pytest.mark.parametrize("words", [(), (1, 2), ("--euler", 1, 2), ("--euler", 1, 2, "x"), ("--euler", 1, 2, "1,5"),
                                   ("--euler", 1, 2, 3, "--quat", 0, 0, 0, 1), ("--euler", 1, 2, "nan"), ("--turn", 3)])
def test_a_wrong_command_line_is_64(words):
    done = run("matrix", *words)
    assert done.returncode == 64 and done.out == "" and done.err.startswith("oban: ")


def test_the_formula_by_hand():
    """t0 = (cy cz, cx sz + sx sy cz, sx sz - cx sy cz), and so on; oni-formats 8."""
    x, y, z = (math.radians(v) for v in (13.0, -47.0, 131.0))
    sx, cx, sy, cy, sz, cz = math.sin(x), math.cos(x), math.sin(y), math.cos(y), math.sin(z), math.cos(z)
    wanted = [cy * cz, cx * sz + sx * sy * cz, sx * sz - cx * sy * cz, -cy * sz, cx * cz - sx * sy * sz,
              sx * cz + cx * sy * sz, sy, -sx * cy, cx * cy, 0, 0, 0]
    near(numbers(good("matrix", "--euler", 13, -47, 131)), wanted, 1e-7)
