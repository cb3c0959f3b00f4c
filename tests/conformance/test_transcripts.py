# SPDX-License-Identifier: MIT
"""Every transcript of this folder against the real daemon; the format stands in README.md."""
import glob
import os

import pytest

import transcript

HERE = os.path.dirname(os.path.abspath(__file__))
FILES = sorted(glob.glob(os.path.join(HERE, "*.jsonl")))


@pytest.mark.parametrize("path", FILES, ids=lambda p: os.path.basename(p)[:-6])
def test_transcript(path, tmp_path):
    transcript.play(path, str(tmp_path))


def test_there_are_transcripts():
    assert len(FILES) > 20
    for path in FILES:
        header, steps = transcript.read(path)
        assert header["about"] and header["source"] and steps


@pytest.mark.parametrize("pattern,value,fits", [
    ({"a": 1}, {"a": 1.0, "b": 2}, True), ({"a": 1}, {"a": True}, False), ({"a": [1]}, {"a": [1, 2]}, False),
    ({"a": {"$absent": True}}, {"b": 1}, True), ({"a": {"$absent": True}}, {"a": None}, False), ({"a": "*"}, {}, False),
    ({"a": None}, {"a": 0}, False), ({"$near": [1, 2]}, [1.000001, 2], True), ({"$near": [1, 2]}, [1.1, 2], False),
    ({"$range": [0, 2]}, 3, False), ({"$count": [1, 9]}, [], False), ({"$text": "b"}, "abc", True),
    ({"$not": {"a": 1}}, {"a": 2}, True)])
def test_matching(pattern, value, fits):
    assert (transcript.Matcher().fault(pattern, value) is None) == fits
