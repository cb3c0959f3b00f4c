# SPDX-License-Identifier: MIT
"""Where the modules of the tests lie."""
import os
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
sys.path.insert(0, os.path.join(ROOT, "tests", "conformance"))
