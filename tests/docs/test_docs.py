# SPDX-License-Identifier: MIT
"""What the documents promise: their JSON parses, their requests are understood, their commands run, and the
files they name are there."""
import json
import os
import re
import shlex
import shutil
import subprocess

import pytest

import daemon

ROOT = daemon.ROOT
DOCS = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/behaviour.md", "docs/protocol.md", "docs/formats.md",
        "docs/wild.md", "examples/warehouse/README.md", "tests/conformance/README.md", "bench/README.md"]
WAREHOUSE = os.path.join(ROOT, "examples", "warehouse")
OBAN = os.environ.get("OBAN", os.path.join(ROOT, "build", "oban"))
OBANCTL = os.environ.get("OBANCTL", os.path.join(ROOT, "build", "obanctl"))
LATER = {"subscribe", "batch"}  # ops of the protocol that this version does not have


def text_of(doc):
    with open(os.path.join(ROOT, doc), encoding="utf-8") as file:
        return file.read()


def json_examples(text):
    """Fenced json blocks, and code spans that are whole JSON objects."""
    for block in re.findall(r"^```json\n(.*?)^```", text, re.M | re.S):
        yield block
    for span in re.findall(r"`(\{\"op\".*?\})`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)):
        yield span


def parsed(example):
    """Dots stand for what is left out: {...}, [...]."""
    return json.loads(example.replace("{...}", "{}").replace("[...]", "[]"))


@pytest.fixture(scope="module")
def live():
    with daemon.Daemon([os.path.join(WAREHOUSE, "anims")], os.path.join(WAREHOUSE, "scene.json"), manual=False) as running:
        yield running


@pytest.mark.parametrize("doc", DOCS)
def test_json_parses_and_requests_are_understood(doc, live):
    client = live.settled()
    for example in json_examples(text_of(doc)):
        message = parsed(example)
        if "op" not in message or message["op"] in LATER | {"reply", "error", "event", "hello", "snapshot", "frame"}:
            continue
        client.ws.send(example)
        while True:
            answer = client.recv(5)
            if answer["op"] in ("reply", "error"):
                break
        assert answer.get("code") not in ("bad_json", "bad_field", "unknown_op"), (example, answer)
    client.ws.close()


@pytest.mark.parametrize("doc", ["README.md", "examples/warehouse/README.md"])
def test_commands_run(doc, live):
    """Each `build/obanctl ...` line, against the example; those that go on for ever get an end."""
    seen = 0
    for line in re.findall(r"^ *build/obanctl (.*)$", text_of(doc), re.M):
        words = shlex.split(line, comments=True)
        if words[0] in ("follow", "events"):
            words += ["--for", "0.5"]
        done = subprocess.run([OBANCTL, "--url", live.url, *words], capture_output=True, text=True, timeout=20,
                              env=daemon.clean_environment(None))
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        seen += 1
    assert seen >= 4


def oban_commands():
    """(where it stands, words) of each line that runs the tool: README, man page."""
    for line in re.findall(r"^ *build/oban (.*)$", text_of("README.md"), re.M):
        yield "README.md", shlex.split(line, comments=True)
    for block in re.findall(r"^\.EX\n(.*?)^\.EE", text_of("docs/man/oban.1"), re.M | re.S):
        for line in block.replace("\\-", "-").splitlines():
            yield "docs/man/oban.1", shlex.split(re.split(r" {3,}", line)[0])[1:]


@pytest.mark.parametrize("doc,words", oban_commands())
def test_the_tools_commands_run(doc, words, tmp_path):
    """Beside the files of the example; of a level that was made before."""
    shutil.copytree(WAREHOUSE, tmp_path / "examples" / "warehouse")
    os.symlink(tmp_path / "examples" / "warehouse" / "anims", tmp_path / "anims")
    shutil.copy(os.path.join(WAREHOUSE, "scene.json"), tmp_path / "scene.json")
    (tmp_path / "out").mkdir()
    if "-o" not in words or not words[words.index("-o") + 1].startswith("level"):
        subprocess.run([OBAN, "convert", "-o", "level3_Final.dat", "anims", "scene.json"], cwd=tmp_path, timeout=20, check=True)
    if "scene.json" in words and words[words.index("scene.json") - 1] == "-o":
        words = [words[0], "--force", *words[1:]]
    done = subprocess.run([OBAN, *words], capture_output=True, text=True, timeout=20, cwd=tmp_path)
    assert done.returncode == 0, (doc, words, done.stderr)


def test_the_tools_help_and_man_page_know_each_command_and_option():
    page = text_of("docs/man/oban.1").replace("\\-", "-")
    whole = subprocess.run([OBAN, "--help"], capture_output=True, text=True, timeout=20, check=True).stdout
    commands = re.findall(r"^TOOL_COMMAND\((\w+),", text_of("clients/oban/commands.def"), re.M)
    assert len(commands) >= 5
    for command in commands:
        assert re.search(r"^  %s " % command, whole, re.M), command
        assert re.search(r"^\.BR \"?%s[ \"]" % command, page, re.M), command
        assert re.search(r"^oban %s " % command, page, re.M), "no example: " + command
        told = subprocess.run([OBAN, command, "--help"], capture_output=True, text=True, timeout=20, check=True).stdout
        for option in re.findall(r"^  (?:-\w,|   ) --([a-z-]+)", told, re.M):
            assert "--" + option in page, (command, option)


def test_the_man_pages_are_clean():
    for name in ("oban.1",):
        done = subprocess.run(["mandoc", "-T", "lint", os.path.join(ROOT, "docs", "man", name)], capture_output=True, text=True, timeout=20)
        assert (done.returncode, done.stdout) == (0, "")


def test_the_formats_example_is_one(tmp_path):
    """The CSV and the JSON of docs/formats.md are one animation."""
    text = text_of("docs/formats.md")
    for kind in ("csv", "json"):
        (block,) = re.findall(r"^```%s\n(.*?)^```" % kind, text, re.M | re.S)
        (tmp_path / ("example." + kind)).write_text(block)
    hashes = {subprocess.run([OBAN, "frames", "--hash", tmp_path / ("example." + kind)], capture_output=True, text=True, timeout=20, check=True).stdout
              for kind in ("csv", "json")}
    assert len(hashes) == 1


@pytest.mark.parametrize("doc", DOCS)
def test_files_that_are_named_are_there(doc):
    folder = os.path.dirname(os.path.join(ROOT, doc))
    for target in re.findall(r"\]\(([^)#:]+)\)", text_of(doc)):
        assert os.path.exists(os.path.join(folder, target)), target


def test_tests_that_are_named_are_there():
    """The tables that say which test holds what."""
    text = text_of("docs/behaviour.md") + text_of("ARCHITECTURE.md")
    names = set(re.findall(r"\b(?:tests/unit/)?((?:anim|bsl|format|json|server|wild|wire|world)/\w+_test\.c)", text))
    for name in names:
        assert os.path.exists(os.path.join(ROOT, "tests", "unit", name)), name
    for name in re.findall(r"\btest_\w+\.py", text):
        assert any(os.path.exists(os.path.join(ROOT, "tests", d, name)) for d in ("integration", "conformance", "limits")), name
    for name in re.findall(r"\b([a-z-]+)\.jsonl", text):
        assert os.path.exists(os.path.join(ROOT, "tests", "conformance", name + ".jsonl")), name


def test_make_run_and_make_test_stay_in_the_readme():
    assert "make run" in text_of("README.md") and "make test" in text_of("README.md")


def test_help_lists_every_op_of_the_tables(live):
    names = set()
    for table in ("core/bsl/commands.def", "proto/wire/messages.def"):
        names |= set(re.findall(r"^OBAN_(?:COMMAND|MESSAGE)\(\w+, \"(\w+)\"", text_of(table), re.M))
    result = live.settled().do("help")
    assert {o["op"] for o in result["ops"]} >= names and len(names) > 25
