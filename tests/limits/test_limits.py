# SPDX-License-Identifier: MIT
"""Every limit of server/limits.def: told in hello.limits, an option of its name with dashes, and tested at it and
one over it. Limits of time are in test_time_limits.py, those of one message in test_message_limits.py."""
import os
import re
import resource
import subprocess

import pytest

import daemon
import oban_write
import peer
from oban_write import Clip, Key
from peer import Peer

ROW = re.compile(r"^OBAN_LIMIT\((\w+), (\d+), (\d+), (\d+), ", re.M)


def rows():
    with open(os.path.join(daemon.ROOT, "server", "limits.def")) as file:
        return [(n, int(d), int(lo), int(hi)) for n, d, lo, hi in ROW.findall(file.read())]


def option(name):
    return "--" + name.replace("_", "-")


def hello_limits(**more):
    with daemon.Daemon(**more) as running:
        client = running.settled()
        client.close()
        return client.hello["limits"]


def ends_at_once(*args):
    done = subprocess.run([daemon.binary(), *map(str, args)], capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL,
                          cwd=daemon.ROOT, env=daemon.clean_environment())
    assert not daemon.SANITIZER.search(done.stderr), done.stderr
    return done.returncode, done.stderr


# ---- all of them ---------------------------------------------------------------------------------------------------


def test_all_are_told_with_their_defaults():
    assert len(rows()) >= 12
    assert hello_limits() == {name: default for name, default, _, _ in rows()}


@pytest.mark.parametrize("column", [2, 3], ids=["lowest", "highest"])
def test_all_are_options(column):
    args = [a for row in rows() for a in (option(row[0]), row[column])]
    with daemon.Daemon(args=args) as running:
        client = running.settled()
        wanted = {row[0]: row[column] for row in rows()}
        wanted["clients_max"] = min(wanted["clients_max"], resource.getrlimit(resource.RLIMIT_NOFILE)[1] - 32)
        assert client.hello["limits"] == wanted
        assert peer.is_sanitized() or client.do("info")["rss_bytes"] < 64 << 20, "a limit is no allocation"
        client.close()


def test_all_are_environment_too():
    env = {"OBAND_" + name.upper(): str(lowest + 1) for name, _, lowest, _ in rows() if name != "clients_max"}
    told = hello_limits(env=env)
    assert {n: told[n] for n, _, _, _ in rows() if n != "clients_max"} == {n: lo + 1 for n, _, lo, _ in rows() if n != "clients_max"}


@pytest.mark.parametrize("row", rows(), ids=lambda r: r[0])
def test_out_of_range_is_no_start(row):
    for value in (row[2] - 1, row[3] + 1):
        code, said = ends_at_once(option(row[0]), value)
        assert code == 2 and option(row[0])[2:] in said, (code, said)


# ---- clients_max, and the open-file limit ---------------------------------------------------------------------------


def is_full(running):
    """Refused before the upgrade, with a JSON body."""
    extra = Peer(running.host_port)
    extra.close()
    if extra.status == 101:
        return False
    assert extra.status == 503
    assert daemon.strict_loads(extra.body.decode())["code"] == "limit"
    return True


@pytest.mark.parametrize("most", [1, 3])
@pytest.mark.parametrize("by_reset", [False, True])
def test_clients_max(most, by_reset):
    with daemon.Daemon(args=["--clients-max", most]) as running:
        peers = [Peer(running.host_port) for _ in range(most)]
        assert [p.status for p in peers] == [101] * most
        assert is_full(running) and is_full(running)
        gone = peers.pop()
        gone.reset() if by_reset else gone.close()
        assert peer.eventually(lambda: not is_full(running)), "the slot is not free again"
        assert peer.eventually(lambda: not is_full(running))
        back = Peer(running.host_port)
        assert back.status == 101 and back.settle()[0]["op"] == "hello"
        assert is_full(running)
        for p in (*peers, back):
            p.close()


def test_a_slot_is_free_after_a_clean_close():
    with daemon.Daemon(args=["--clients-max", 1]) as running:
        for _ in range(20):
            assert peer.eventually(lambda: not is_full(running))
            client = None

            def connected():
                nonlocal client
                try:
                    client = running.settled()
                    return True
                except daemon.websocket.WebSocketBadStatusException as refused:
                    assert refused.status_code == 503
                    return False
            assert peer.eventually(connected)
            client.close()


def test_the_open_file_limit_refuses_before_it_bites():
    """With 64 descriptors: 32 clients and no more, told in hello; none hangs without an answer; and they come back."""
    wrapper = ["/usr/bin/python3", "-c", "import os,resource,sys;resource.setrlimit(resource.RLIMIT_NOFILE,(64,64));"
               "os.execv(sys.argv[1],sys.argv[1:])"]
    with daemon.Daemon(wrapper=wrapper) as running:
        pid = running.process.pid
        base = peer.fds(pid)
        peers = []
        for _ in range(60):
            one = Peer(running.host_port)
            assert one.status in (101, 503)
            peers.append(one)
            assert peer.fds(pid) <= 64 - 8
        good = [p for p in peers if p.status == 101]
        assert len(good) == 32
        assert "clients_max is lowered" in running.stderr
        assert [p.status for p in peers[len(good):]] == [503] * (60 - len(good))
        good[0].send(peer.text(op="ping", id=1))
        assert good[0].answers(1)[0]["re"] == 1
        # Raw connects that say nothing take descriptors too; the last are turned away with the same words.
        mute = [Peer(running.host_port, upgrade=False) for _ in range(80)]
        assert peer.eventually(lambda: peer.fds(pid) >= 56, 3)
        turned = mute[-1]
        turned.answer()
        assert turned.status == 503 and daemon.strict_loads(turned.body.decode())["code"] == "limit"
        good[0].send(peer.text(op="ping", id=2))
        assert good[0].answers(1)[0]["re"] == 2
        for p in (*peers, *mute):
            p.close()
        assert peer.eventually(lambda: peer.fds(pid) == base)
        again = Peer(running.host_port)
        assert again.status == 101
        again.close()


# ---- commands_per_s_max -----------------------------------------------------------------------------------------------


def pings(first, count):
    return b"".join(peer.text(op="ping", id=first + i) for i in range(count))


def test_commands_per_s_max():
    """At it: all done. One over: that one is refused, in its place, with its id; and nobody stops listening."""
    with daemon.Daemon(args=["--commands-per-s-max", 4]) as running:
        client = Peer(running.host_port)
        client.settle()
        client.send(pings(1, 4))
        assert [(m["op"], m["re"]) for m in client.answers(4)] == [("reply", n) for n in (1, 2, 3, 4)]
        peer.time.sleep(1.1)
        client.send(pings(11, 5) + peer.frame(b"obj_kill 1") + peer.text(op="nosuch", id="w"))
        got = client.answers(7)
        assert [m["re"] for m in got] == [11, 12, 13, 14, 15, None, "w"]
        assert [m["op"] for m in got[:4]] == ["reply"] * 4
        assert [m["code"] for m in got[4:]] == ["rate_limited"] * 3
        assert "4" in got[4]["message"]
        peer.time.sleep(1.1)
        client.send(pings(21, 1))
        assert client.answers(1)[0] == {"op": "reply", "re": 21, "tick": 0, "result": {}}
        client.close()


def test_rate_limited_stands_in_order(clips, tmp_path):
    """Behind requests that wait for the next tick; what was refused was not done."""
    scene = peer.write_scene(tmp_path, peer.objects(3, "blip", play=False))
    with daemon.Daemon([clips], scene, manual=False, args=["--commands-per-s-max", 3]) as running:
        client = Peer(running.host_port)
        client.settle()
        client.send(peer.text(op="obj_hide", id=1, object=1) + peer.text(op="ping", id=2) + peer.text(op="obj_hide", id=3, object=2)
                    + peer.text(op="obj_hide", id=4, object=3) + peer.text(op="ping", id=5))
        got = client.answers(5)
        assert [m["re"] for m in got] == [1, 2, 3, 4, 5]
        assert [m["op"] for m in got] == ["reply"] * 3 + ["error"] * 2
        assert [o["visible"] for o in running.state()["objects"]] == [False, False, True]
        other = running.settled()
        assert other.do("ping") == {}, "the bucket is each client's own"
        other.close()
        client.close()


# ---- objects_max, anims_max, keys_max, script_bytes_max --------------------------------------------------------------------


def test_objects_max(clips, tmp_path):
    args = ["--objects-max", 3]
    scene = peer.write_scene(tmp_path, peer.objects(3))
    with daemon.Daemon([clips], scene, args=args) as running:
        client = running.settled()
        assert client.hello["counts"]["objects"] == 3
        before = client.do("info")["hash"]
        answer, _ = client.ask("obj_define", object=9, anim="mover")
        assert (answer["op"], answer["code"]) == ("error", "limit") and "objects_max" in answer["message"], answer
        assert client.do("info")["hash"] == before
        client.do("obj_kill", object=1)
        client.do("obj_define", object=9, anim="mover")
        answer, _ = client.ask("obj_create", object=1)
        assert answer["code"] == "limit", answer
        assert client.do("info")["objects"] == 3
        client.close()
    scene = peer.write_scene(tmp_path, peer.objects(4))
    code, said = ends_at_once("--anims", clips, "--scene", scene, *args)
    assert code != 0 and "objects" in said and "3" in said, (code, said)


@pytest.mark.parametrize("count", [3, 4])
def test_anims_max(tmp_path, count):
    """Too many: a warning, and the first three are there."""
    clip = Clip("x", (Key(0, (0, 0, 0, 1), (0, 0, 0)),))
    for i in range(count):
        (tmp_path / ("OBANclip_%d.xml" % i)).write_bytes(oban_write.xml_bytes(clip))
    with daemon.Daemon([tmp_path], args=["--anims-max", 3]) as running:
        client = running.settled()
        assert client.hello["counts"]["clips"] == 3
        assert [a["name"] for a in client.do("anim_list")["anims"]] == ["clip_0", "clip_1", "clip_2"]
        client.close()
        assert ("anims-max" in running.stderr) == (count > 3)


def test_keys_max(tmp_path):
    for name, count in (("at", 5), ("over", 6)):
        clip = Clip(name, tuple(Key(i, (0, 0, 0, 1), (i, 0, 0)) for i in range(count)))
        (tmp_path / ("OBAN%s.xml" % name)).write_bytes(oban_write.xml_bytes(clip))
        (tmp_path / ("%s_oni.oni" % name)).write_bytes(oban_write.oni_bytes([clip._replace(name=name + "_oni")]))
    with daemon.Daemon([tmp_path], args=["--keys-max", 5]) as running:
        client = running.settled()
        assert {a["name"]: a["keys"] for a in client.do("anim_list")["anims"]} == {"at": 5, "at_oni": 5}
        client.close()
        assert running.stderr.count("keys-max") == 2


def test_script_bytes_max(clips, tmp_path):
    """As a BSL message and in the op; one over is refused whole and does nothing."""
    scene = peer.write_scene(tmp_path, peer.objects(2, play=False))
    with daemon.Daemon([clips], scene, args=["--script-bytes-max", 1024]) as running:
        client = running.settled()
        for over in (0, 1):
            line = "obj_hide %d # " % (1 + over)
            script = line + "x" * (1024 + over - len(line))
            for send in (script, {"op": "bsl", "id": 1, "text": script}):
                client.send(send)
                answer, _ = client.until(lambda m: m["op"] in ("reply", "error"))
                if over:
                    assert (answer["op"], answer["code"]) == ("error", "limit") and "script_bytes_max" in answer["message"], answer
                else:
                    assert answer["op"] == "reply", answer
        assert [o["visible"] for o in running.state()["objects"]] == [False, True]
        client.close()
