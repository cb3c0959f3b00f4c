# SPDX-License-Identifier: MIT
"""Where the modules of the tests lie, and a daemon on the example for tests that only need one."""
import os
import sys

import pytest

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
for folder in (os.path.join(ROOT, "tests", "conformance"), os.path.join(ROOT, "tools"), os.path.dirname(os.path.abspath(__file__))):
    if folder not in sys.path:
        sys.path.insert(0, folder)

import daemon  # noqa: E402

WAREHOUSE = os.path.join(ROOT, "examples", "warehouse")


@pytest.fixture(scope="session")
def warehouse():
    """(clips, scene) of the example."""
    return os.path.join(WAREHOUSE, "anims"), os.path.join(WAREHOUSE, "scene.json")


@pytest.fixture()
def held(warehouse):
    """The example with its clock held."""
    with daemon.Daemon([warehouse[0]], warehouse[1]) as running:
        yield running


@pytest.fixture()
def live(warehouse):
    """The example in real time."""
    with daemon.Daemon([warehouse[0]], warehouse[1], manual=False) as running:
        yield running
