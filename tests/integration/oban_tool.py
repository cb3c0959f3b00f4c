# SPDX-License-Identifier: MIT
"""Runs the tool `oban`, and knows which formats of it are there."""
import json
import os
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
OBAN = os.environ.get("OBAN", os.path.join(ROOT, "build", "oban"))
WAREHOUSE = os.path.join(ROOT, "examples", "warehouse", "anims")
CLIP_COUNT = len(os.listdir(WAREHOUSE))


def run(*words, stdin=None, cwd=None, seconds=60):
    """A finished process with text; stdin as bytes."""
    environment = dict(os.environ, LC_ALL="C.UTF-8", NO_COLOR="1")
    done = subprocess.run([OBAN, *map(str, words)], input=stdin if stdin is not None else b"", capture_output=True,
                          timeout=seconds, cwd=cwd, env=environment)
    done.out = done.stdout.decode()
    done.err = done.stderr.decode()
    return done


def good(*words, **more):
    """Standard output of a run that must succeed without a word of complaint."""
    done = run(*words, **more)
    assert (done.returncode, done.err) == (0, ""), (words, done.returncode, done.err)
    return done.out


def refused(*words, **more):
    """The lines of complaint of a run that must end with 1."""
    done = run(*words, **more)
    assert done.returncode == 1, (words, done.returncode, done.out, done.err)
    assert done.err, words
    return done.err.splitlines()


def numbers(text):
    return [float(word) for word in text.split()]


def as_json(*words, **more):
    return json.loads(good(*words, "--json", **more))
