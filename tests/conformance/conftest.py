# SPDX-License-Identifier: MIT
"""Where the modules of the tests lie, and the daemon fixtures (daemon.py)."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in (HERE, os.path.join(HERE, "..", "..", "tools")):
    if folder not in sys.path:
        sys.path.insert(0, folder)
