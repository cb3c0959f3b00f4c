# SPDX-License-Identifier: MIT
"""The Khronos validator has nothing to say against the glTF that oban writes, not even a warning."""
import json
import os
import shutil
import subprocess

import pytest

from oban_tool import CLIP_COUNT, ROOT, WAREHOUSE, good

FOLDER = os.path.join(ROOT, "tests", "gltf")
SCENE = os.path.join(ROOT, "examples", "warehouse", "scene.json")

if shutil.which("node") is None or not os.path.isdir(os.path.join(FOLDER, "node_modules")):
    pytest.skip("no node, or its gltf-validator is not installed: make gltf-deps", allow_module_level=True)


def validate(*paths):
    done = subprocess.run(["node", os.path.join(FOLDER, "validate.js"), *map(str, paths)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(reports) == len(paths)
    return reports


def all_of(folder):
    return [folder / name for name in sorted(os.listdir(folder))]


@pytest.mark.parametrize("to", ["gltf", "glb"])
@pytest.mark.parametrize("words", [(), ("--camera",), ("--box",), ("--per-frame",), ("--camera", "--per-frame")], ids=" ".join)
def test_every_example(tmp_path, to, words):
    good("convert", "--to", to, *words, "-o", tmp_path / "out", WAREHOUSE)
    reports = validate(*all_of(tmp_path / "out"))
    assert len(reports) == CLIP_COUNT
    assert [r["messages"] for r in reports if r["messages"]] == []
    assert all(r["info"]["animationCount"] == 1 for r in reports)


@pytest.mark.parametrize("name", ["all.gltf", "all.glb"])
def test_all_in_one(tmp_path, name):
    good("convert", "--box", "-o", tmp_path / name, WAREHOUSE)
    (report,) = validate(tmp_path / name)
    assert (report["errors"], report["warnings"], report["messages"]) == (0, 0, [])
    assert report["info"]["animationCount"] == CLIP_COUNT


def test_the_validator_finds_faults(tmp_path):
    """So that a silent one is not one that does not work."""
    good("convert", "-o", tmp_path / "a.gltf", os.path.join(WAREHOUSE, "OBANcrane.xml"))
    model = json.loads((tmp_path / "a.gltf").read_text())
    model["accessors"][0]["count"] += 1
    (tmp_path / "bad.gltf").write_text(json.dumps(model))
    (report,) = validate(tmp_path / "bad.gltf")
    assert report["errors"] > 0
