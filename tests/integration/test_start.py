# SPDX-License-Identifier: MIT
"""The start: options from the command line, the environment and a file; what is wrong with them, with the
scene and with clips; addresses."""
import json
import re
import socket
import subprocess

import pytest

import daemon
import oban_write
from oban_write import Clip, Key

SLIDE = Clip("slide", (Key(0, (0, 0, 0, 1), (0, 0, 0)), Key(9, (0, 0, 0, 1), (9, 0, 0))))


def run(*args, env=None, timeout=10):
    return subprocess.run([daemon.binary(), *map(str, args)], capture_output=True, text=True, timeout=timeout, cwd=daemon.ROOT,
                          env=daemon.clean_environment(env), stdin=subprocess.DEVNULL)


def ends_with_2(*args, **more):
    done = run(*args, **more)
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert not daemon.SANITIZER.search(done.stderr), done.stderr
    assert "listening" not in done.stderr
    return done.stderr


def test_help():
    done = run("--help")
    assert done.returncode == 0 and done.stderr == ""
    for option in ("anims", "scene", "listen", "seed", "manual-clock", "log-level", "log-format", "trace", "version", "help",
                   "clients-max", "message-bytes-max"):
        assert "--" + option in done.stdout, option


def test_version():
    done = run("--version")
    assert done.returncode == 0 and re.search(r"\d+\.\d+\.\d+", done.stdout) and done.stderr == ""


@pytest.mark.parametrize("args,named", [
    (["--nosuch"], "nosuch"), (["--seed", "-1"], "seed"), (["--seed", "1.5"], "seed"), (["--seed", "x"], "seed"),
    (["--seed", "99999999999999999999"], "seed"), (["--seed"], "seed"), (["--listen", "nowhere"], "listen"),
    (["--listen", "127.0.0.1:99999"], "listen"), (["--listen", "127.0.0.1:"], "listen"), (["--log-level", "loud"], "log-level"),
    (["--log-format", "yaml"], "log-format"), (["--trace", "all"], "trace"), (["--clients-max", "0"], "clients-max"),
    (["--anims", "/nosuch/dir"], "/nosuch/dir"), (["--scene", "/nosuch/scene.json"], "/nosuch/scene.json"),
    (["--config", "/nosuch/oband.conf"], "/nosuch/oband.conf"), (["word"], "word")])
def test_bad_option(args, named):
    assert named in ends_with_2(*args)


@pytest.mark.parametrize("name,value,named", [("OBAND_SEED", "many", "OBAND_SEED"), ("OBAND_LOG_LEVEL", "loud", "OBAND_LOG_LEVEL"),
                                              ("OBAND_LISTEN", "nowhere", "OBAND_LISTEN")])
def test_bad_environment(name, value, named):
    assert named in ends_with_2(env={name: value})


def test_bad_config_file_names_file_and_line(tmp_path):
    path = tmp_path / "oband.conf"
    path.write_text("# a comment\nseed = 5\nlog-level = loud\n")
    said = ends_with_2("--config", path)
    assert "oband.conf" in said and "3" in said and "log" in said
    path.write_text("seed = 5\nnosuch = 1\n")
    assert "nosuch" in ends_with_2("--config", path)


def seed_of(**options):
    with daemon.Daemon(seed=None, **options) as running:
        client = running.settled()
        seed = client.hello["seed"]
        client.close()
        return seed


def test_argv_before_environment_before_file(tmp_path):
    path = tmp_path / "oband.conf"
    path.write_text("seed = 5\nmanual-clock = true\n")
    assert seed_of(args=["--config", path], manual=False) == 5
    assert seed_of(args=["--config", path], env={"OBAND_SEED": "6"}) == 6
    assert seed_of(args=["--config", path, "--seed", 7], env={"OBAND_SEED": "6"}) == 7
    assert seed_of(env={"OBAND_CONFIG": str(path)}) == 5
    with daemon.Daemon(seed=None, manual=False, args=["--config", path]) as running:
        assert running.settled().hello["paused"] is True
    with daemon.Daemon(seed=None, manual=False, env={"OBAND_MANUAL_CLOCK": "1"}) as running:
        assert running.settled().hello["paused"] is True


def test_listen_from_the_environment():
    with daemon.Daemon(listen=(), env={"OBAND_LISTEN": "127.0.0.1:0"}) as running:
        assert running.settled().hello["op"] == "hello"


def write_scene(folder, scene):
    path = folder / "scene.json"
    path.write_text(scene if isinstance(scene, str) else json.dumps(scene))
    (folder / "OBANslide.xml").write_bytes(oban_write.xml_bytes(SLIDE))
    return path


@pytest.mark.parametrize("scene,named", [
    ("", ["scene.json"]), ("{", ["scene.json", "1"]), ('{"objects":[{"object":1},]}', ["scene.json"]), ("[]", ["scene.json"]),
    ({"objects": [{"object": 1, "anim": "nosuch"}]}, ["nosuch"]), ({"objects": [{"anim": "slide"}]}, ["object"]),
    ({"objects": [{"object": -1}]}, ["object"]), ({"objects": [{"object": 1, "matrix": [1, 2]}]}, ["matrix"]),
    ({"objects": [{"object": 1, "Anim": "slide"}]}, ["Anim"]),
    ({"objects": [{"object": 1, "colour": "red"}]}, ["colour"]), ({"objekts": []}, ["objekts"]), ({"camera": {"fov": 500}}, ["fov"]),
    ({"objects": {"object": 1}}, ["objects"]), ({"objects": [{"object": 1, "play": True}]}, ["1"]),
    ({"objects": [{"object": 1, "anim": "slide", "play": "yes"}]}, ["play"])])
def test_bad_scene(tmp_path, scene, named):
    path = write_scene(tmp_path, scene)
    said = ends_with_2("--anims", tmp_path, "--scene", path, "--listen", "127.0.0.1:0")
    for word in named:
        assert word in said, said


def test_all_faults_of_a_scene_are_listed(tmp_path):
    path = write_scene(tmp_path, {"objects": [{"object": 1, "anim": "nosuch"}, {"object": 2, "matrix": [0]},
                                              {"object": 3, "colour": 1}]})
    said = ends_with_2("--anims", tmp_path, "--scene", path)
    assert "nosuch" in said and "matrix" in said and "colour" in said, said


def bad_clips(folder):
    good = oban_write.xml_bytes(SLIDE)
    files = {
        "OBANcut.xml": good[:300],
        "OBANempty.xml": b"",
        "OBANnan.xml": good.replace(b"<Translation>9 0 0", b"<Translation>NaN 0 0"),
        "OBANinf.xml": good.replace(b"<Translation>9 0 0", b"<Translation>INF 0 0"),
        "OBANzero.xml": oban_write.xml_bytes(Clip("zero", (Key(0, (0, 0, 0, 0), (0, 0, 0)),))),
        "OBANnokeys.xml": oban_write.xml_bytes(Clip("nokeys", (), frame_count=5)),
        "OBANfalls.xml": oban_write.xml_bytes(Clip("falls", (Key(5, (0, 0, 0, 1), (0, 0, 0)), Key(2, (0, 0, 0, 1), (0, 0, 0))))),
        "OBANdoctype.xml": good.replace(b"<Oni>", b"<!DOCTYPE Oni [<!ENTITY a \"b\">]><Oni>"),
        "OBANfew.xml": good.replace(b"<Rotation>0 0 0 1", b"<Rotation>0 0 1"),
        "OBANshort.oni": oban_write.oni_bytes([SLIDE])[:200],
        "OBANmany.oni": oban_write.oni_bytes([SLIDE])[:0x14] + b"\xff\xff\xff\x7f" + oban_write.oni_bytes([SLIDE])[0x18:],
        "OBANkeys.oni": oban_write.oni_bytes([SLIDE._replace(name="keys")]),
    }
    data = bytearray(files["OBANkeys.oni"])
    at = int.from_bytes(data[0x20:0x24], "little") + 8 + 0x76
    data[at:at + 2] = b"\xff\xff"
    files["OBANkeys.oni"] = bytes(data)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return files


def test_bad_clips_are_left_out_with_a_warning(tmp_path):
    """The good ones play; each bad one is named with its file and a place."""
    files = bad_clips(tmp_path)
    (tmp_path / "OBANslide.xml").write_bytes(oban_write.xml_bytes(SLIDE))
    (tmp_path / "notes.txt").write_text("not a clip")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "OBANsub.xml").write_bytes(oban_write.xml_bytes(SLIDE))
    with daemon.Daemon([tmp_path]) as running:
        client = running.settled()
        assert [a["name"] for a in client.do("anim_list")["anims"]] == ["slide"]
        client.close()
        for name in files:
            told = [line for line in running.lines if name in line]
            assert told, name
            assert any(re.search(r"%s:?.*\d|offset|line|key|empty" % re.escape(name), line) for line in told), told
        assert "notes.txt" not in running.stderr


def test_warnings_of_clips(tmp_path):
    """Played nevertheless: a count that is not last key + 1, a first key behind 0, twins, quaternions not unit."""
    keys = (Key(1, (0, 0, 0, 1), (0, 0, 0)), Key(4, (1, 1, 1, 1), (3, 0, 0)), Key(4, (0, 0, 0, 1), (7, 7, 7)))
    (tmp_path / "OBANodd.xml").write_bytes(oban_write.xml_bytes(Clip("odd", keys, frame_count=9)))
    with daemon.Daemon([tmp_path]) as running:
        client = running.settled()
        anim, = client.do("anim_list")["anims"]
        assert (anim["name"], anim["frames"], anim["keys"]) == ("odd", 9, 3)
        assert client.do("anim_get", anim="odd")["anim"]["keys"][1]["q"] == [1, 1, 1, 1]  # kept as stored
        client.close()
        told = "\n".join(line for line in running.lines if "odd" in line)
        for words in ("frame count", "first key", "quaternion", "frame 4"):
            assert words in told, running.stderr


def test_names(tmp_path):
    """A leading OBAN goes; one instance takes the file's name, %XX decoded; several take the table's; the
    same name twice: the first file in byte order stays."""
    (tmp_path / "OBANa%2Fb.xml").write_bytes(oban_write.xml_bytes(SLIDE))
    (tmp_path / "plain.xml").write_bytes(oban_write.xml_bytes(SLIDE))
    (tmp_path / "OBANfile.oni").write_bytes(oban_write.oni_bytes([SLIDE._replace(name="table")]))
    (tmp_path / "several.oni").write_bytes(oban_write.oni_bytes([SLIDE._replace(name=n) for n in ("one", "two", "plain")]))
    with daemon.Daemon([tmp_path]) as running:
        client = running.settled()
        assert [a["name"] for a in client.do("anim_list")["anims"]] == ["a/b", "file", "one", "plain", "two"]
        client.close()
        twice = [line for line in running.lines if "several.oni" in line and "plain" in line]
        assert twice, running.stderr


def test_files_and_folders_may_be_given_together(tmp_path):
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
        (tmp_path / name / ("OBAN%s.xml" % name)).write_bytes(oban_write.xml_bytes(SLIDE))
    with daemon.Daemon([tmp_path / "x", tmp_path / "y" / "OBANy.xml"]) as running:
        client = running.settled()
        assert client.hello["counts"]["clips"] == 2
        client.close()


# ---- addresses ---------------------------------------------------------------------------------------

def test_port_in_use_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        address = "127.0.0.1:%d" % taken.getsockname()[1]
        done = run("--listen", address)
        assert done.returncode != 0 and address in done.stderr
        assert "listening" not in done.stderr


def test_port_0_picks_one():
    with daemon.Daemon() as running:
        assert running.host_port[0] == "127.0.0.1" and running.host_port[1] > 0


def unix_client(path):
    sock = socket.socket(socket.AF_UNIX)
    sock.settimeout(5)
    sock.connect(str(path))
    return daemon.Client("ws://localhost/ws", socket=sock)


def test_two_addresses_and_a_unix_socket(tmp_path):
    path = tmp_path / "o.sock"
    with daemon.Daemon(listen=("127.0.0.1:0", "127.0.0.1:0", "unix:%s" % path)) as running:
        assert len({a for a in running.addresses}) == 3
        sessions = set()
        for address in running.addresses:
            client = daemon.Client(address) if address.startswith("ws://") else unix_client(path)
            client.settle()
            sessions.add(client.hello["session"])
            client.do("obj_create", object=len(sessions))
            client.close()
        assert len(sessions) == 1
    assert not path.exists(), "the socket file is left behind"


def test_a_living_unix_socket_is_not_taken_over(tmp_path):
    path = tmp_path / "o.sock"
    with daemon.Daemon(listen=("unix:%s" % path,)):
        done = run("--listen", "unix:%s" % path)
        assert done.returncode != 0 and str(path) in done.stderr
        client = unix_client(path)
        client.settle()
        assert client.do("ping") == {}
        client.close()


def test_a_dead_unix_socket_is_replaced(tmp_path):
    path = tmp_path / "o.sock"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    assert path.exists()
    with daemon.Daemon(listen=("unix:%s" % path,)):
        client = unix_client(path)
        client.settle()
        client.close()


def test_a_file_that_is_no_socket_is_left_alone(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("dear diary")
    done = run("--listen", "unix:%s" % path)
    assert done.returncode != 0 and path.read_text() == "dear diary"


def test_json_log_is_json(tmp_path):
    (tmp_path / "OBANcut.xml").write_bytes(b"<Oni>")
    with daemon.Daemon([tmp_path], args=["--log-format", "json"], wait=False) as running:
        running.wait_line("listening on")
    for line in running.lines:
        assert isinstance(daemon.strict_loads(line), dict)


def test_trace_wire_shows_what_goes_over_the_wire():
    with daemon.Daemon(args=["--trace", "wire"]) as running:
        client = running.settled()
        client.send('{"op":"ping","id":"marked"}')
        client.recv()
        client.close()
    assert len([line for line in running.lines if "marked" in line]) >= 2, running.stderr


def test_sessions_differ_from_start_to_start():
    sessions = []
    for _ in range(2):
        with daemon.Daemon() as running:
            client = running.settled()
            sessions.append(client.hello["session"])
            client.close()
    assert sessions[0] != sessions[1]


def test_nothing_is_written_to_stdout(warehouse):
    with daemon.Daemon([warehouse[0]], warehouse[1]) as running:
        running.settled().close()
    assert running.stdout == b""



def test_default_address_is_local(tmp_path):
    """--print-config tells every option, its value and where it comes from."""
    done = run("--print-config")
    assert done.returncode == 0 and "127.0.0.1:8765" in done.stdout


def test_healthcheck_tells_by_its_exit_code(tmp_path):
    path = tmp_path / "s.sock"
    with daemon.Daemon(listen=("127.0.0.1:0", f"unix:{path}")) as running:
        for address in (running.url[len('ws://'):-len('/ws')], f"unix:{path}"):
            well = run("--healthcheck", address)
            assert (well.returncode, well.stderr) == (0, "") and "well" in well.stdout
    gone = run("--healthcheck", f"unix:{path}")
    assert gone.returncode == 1 and "cannot connect" in gone.stderr
    assert run("--healthcheck", "nonsense").returncode == 1
