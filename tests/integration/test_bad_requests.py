# SPDX-License-Identifier: MIT
"""Everything malformed over the wire, one by one: exactly one coded answer with the field named, the world
unchanged, the connection alive; and what a connection does not survive, with its close code."""
import json
import os
import socket
import struct
import time

import pytest
import websocket

import daemon

MEBI = 1 << 20
JSON_TEXT = {"bad_json"}
ANY_TEXT = {"bad_json", "bad_script"}  # it does not begin with { or [, so it is a BSL text
FIELD = {"bad_field"}

# text, codes, field (None: none to name; a set: any of them), re
CASES = {
    "half a message": ('{"op":"env_anim",', JSON_TEXT, None, None),
    "an empty message": ("{", JSON_TEXT, None, None),
    "array": ('[{"op":"ping"}]', JSON_TEXT, None, None),
    "empty array": ("[]", JSON_TEXT, None, None),
    "trailing garbage": ('{"op":"ping"}x', JSON_TEXT, None, None),
    "two texts": ('{"op":"ping"}{"op":"ping"}', JSON_TEXT, None, None),
    "trailing comma": ('{"op":"ping",}', JSON_TEXT, None, None),
    "comment": ('{"op":"ping"/*x*/}', JSON_TEXT, None, None),
    "single quotes": ("{'op':'ping'}", JSON_TEXT, None, None),
    "bare key": ('{op:"ping"}', JSON_TEXT, None, None),
    "NaN": ('{"op":"step","ticks":NaN}', JSON_TEXT, "ticks", None),
    "Infinity": ('{"op":"step","ticks":Infinity}', JSON_TEXT, "ticks", None),
    "-Infinity": ('{"op":"step","ticks":-Infinity}', JSON_TEXT, "ticks", None),
    "01": ('{"op":"step","ticks":01}', JSON_TEXT, "ticks", None),
    "1.": ('{"op":"step","ticks":1.}', JSON_TEXT, "ticks", None),
    "-.5": ('{"op":"step","ticks":-.5}', JSON_TEXT, "ticks", None),
    ".5": ('{"op":"step","ticks":.5}', JSON_TEXT, "ticks", None),
    "+1": ('{"op":"step","ticks":+1}', JSON_TEXT, "ticks", None),
    "hex": ('{"op":"step","ticks":0x1}', JSON_TEXT, None, None),
    "True": ('{"op":"step","ticks":True}', JSON_TEXT, "ticks", None),
    "raw control character": ('{"op":"pi\x01ng"}', JSON_TEXT, "op", None),
    "raw newline in a string": ('{"op":"pi\nng"}', JSON_TEXT, "op", None),
    "raw NUL": ('{"op":"ping\x00"}', JSON_TEXT, "op", None),
    "NUL behind": ('{"op":"ping"}\x00', JSON_TEXT, None, None),
    "escaped NUL": ('{"op":"ping\\u0000"}', JSON_TEXT, "op", None),
    "lone high surrogate": ('{"op":"\\ud800"}', JSON_TEXT, "op", None),
    "lone low surrogate": ('{"op":"\\udc00"}', JSON_TEXT, "op", None),
    "bad escape": ('{"op":"\\x41"}', JSON_TEXT, "op", None),
    "byte order mark": ('\ufeff{"op":"ping"}', ANY_TEXT, None, None),
    "scalar": ("17", ANY_TEXT, None, None),
    "string": ('"ping"', ANY_TEXT | {"unknown_op"}, None, None),
    "NUL alone": ("\x00", ANY_TEXT, None, None),
    "depth 17": ('{"op":"ping","id":' + "[" * 16 + "]" * 16 + "}", JSON_TEXT, "id", None),
    "depth 1000": ('{"op":"ping","x-a":' + "[" * 999 + "]" * 999 + "}", JSON_TEXT, "x-a", None),
    "depth 1001": ('{"op":"ping","x-a":' + "[" * 1000 + "]" * 1000 + "}", JSON_TEXT, "x-a", None),
    "a million brackets": ("[" * 1000000, JSON_TEXT, None, None),
    "a million objects": ('{"a":' * 200000, JSON_TEXT, "a", None),
    "op twice": ('{"op":"ping","op":"shutdown"}', FIELD, "op", None),
    "object twice": ('{"op":"env_anim","object":1,"object":2}', FIELD, "object", None),
    "escaped twin": ('{"op":"env_anim","object":1,"\\u006fbject":2}', FIELD, "object", None),
    "keys alike but for case": ('{"op":"env_anim","object":1,"Object":2}', FIELD, {"object", "Object"}, None),
    "OP": ('{"OP":"ping"}', FIELD, {"OP", "op"}, "*"),
    "op in two cases": ('{"op":"ping","OP":"shutdown"}', FIELD, {"OP", "op"}, None),
    "no op": ('{"id":1}', FIELD, "op", 1),
    "op is a number": ('{"op":1,"id":1}', FIELD, "op", 1),
    "op is null": ('{"op":null,"id":1}', FIELD, "op", 1),
    "unknown op": ('{"op":"shutdown","id":1}', {"unknown_op"}, "op", 1),
    "op in capitals": ('{"op":"PING","id":1}', {"unknown_op"}, "op", 1),
    "empty op": ('{"op":"","id":1}', {"unknown_op", "bad_field"}, "op", 1),
    "op with a NUL's escape in front": ('{"op":"\\u0000ping","id":1}', JSON_TEXT, "op", None),
    "id is 1.5": ('{"op":"ping","id":1.5}', FIELD, "id", None),
    "id is 2^53": ('{"op":"ping","id":9007199254740993}', FIELD, "id", None),
    "id is 1e999": ('{"op":"ping","id":1e999}', FIELD | JSON_TEXT, "id", None),
    "id is true": ('{"op":"ping","id":true}', FIELD, "id", None),
    "id is null": ('{"op":"ping","id":null}', FIELD, "id", None),
    "id is deep": ('{"op":"ping","id":[[[[1]]]]}', FIELD, "id", None),
    "id is an object": ('{"op":"ping","id":{}}', FIELD, "id", None),
    "id of 65 characters": ('{"op":"ping","id":"%s"}' % ("x" * 65), FIELD, "id", None),
    "unknown field": ('{"op":"ping","id":1,"foo":1}', FIELD, "foo", 1),
    "field in another case": ('{"op":"env_anim","id":1,"Object":3}', FIELD, {"Object", "object"}, 1),
    "missing field": ('{"op":"env_anim","id":1}', FIELD, "object", 1),
    "object is 1e999": ('{"op":"env_anim","id":1,"object":1e999}', FIELD | JSON_TEXT, "object", "*"),
    "object is -1": ('{"op":"env_anim","id":1,"object":-1}', FIELD, "object", 1),
    "object is 3000000000": ('{"op":"env_anim","id":1,"object":3000000000}', FIELD, "object", 1),
    "object is 1.9": ('{"op":"env_anim","id":1,"object":1.9}', FIELD, "object", 1),
    "object is 2^53": ('{"op":"env_anim","id":1,"object":9007199254740993}', FIELD, "object", 1),
    "object is a string": ('{"op":"env_anim","id":1,"object":"30"}', FIELD, "object", 1),
    "object is null": ('{"op":"env_anim","id":1,"object":null}', FIELD, "object", 1),
    "object is true": ('{"op":"env_anim","id":1,"object":true}', FIELD, "object", 1),
    "object is an array": ('{"op":"env_anim","id":1,"object":[30]}', FIELD, "object", 1),
    "to is -1": ('{"op":"env_anim","id":1,"object":30,"to":-1}', FIELD, "to", 1),
    "a range too wide": ('{"op":"env_anim","id":1,"object":0,"to":65536}', {"limit"}, {"to", "object"}, 1),
    "stop_frame is 65536": ('{"op":"env_anim","id":1,"object":30,"stop_frame":65536}', FIELD, "stop_frame", 1),
    "stop_frame is -1": ('{"op":"env_anim","id":1,"object":30,"stop_frame":-1}', FIELD, "stop_frame", 1),
    "life is 0": ('{"op":"env_stop","id":1,"object":30,"life":0}', FIELD, "life", 1),
    "ticks is 1e999": ('{"op":"step","id":1,"ticks":1e999}', FIELD | JSON_TEXT, "ticks", "*"),
    "ticks is -1": ('{"op":"step","id":1,"ticks":-1}', FIELD, "ticks", 1),
    "ticks is 0": ('{"op":"step","id":1,"ticks":0}', FIELD, "ticks", 1),
    "ticks is 1000001": ('{"op":"step","id":1,"ticks":1000001}', FIELD, "ticks", 1),
    "ticks is 1.9": ('{"op":"step","id":1,"ticks":1.9}', FIELD, "ticks", 1),
    "frames is -1": ('{"op":"cm_interpolate","id":1,"anim":"crane","frames":-1}', FIELD, "frames", 1),
    "frames is 3000000000": ('{"op":"cm_interpolate","id":1,"anim":"crane","frames":3000000000}', FIELD, "frames", 1),
    "fov is 1e39": ('{"op":"gs_fov_set","id":1,"fov":1e39}', FIELD, "fov", 1),
    "fov is 0": ('{"op":"gs_fov_set","id":1,"fov":0}', FIELD, "fov", 1),
    "fov is a string": ('{"op":"gs_fov_set","id":1,"fov":"45"}', FIELD, "fov", 1),
    "matrix of eleven": ('{"op":"obj_place","id":1,"object":30,"matrix":[1,0,0,0,1,0,0,0,1,0,0]}', FIELD, "matrix", 1),
    "matrix of thirteen": ('{"op":"obj_place","id":1,"object":30,"matrix":[1,0,0,0,1,0,0,0,1,0,0,0,0]}', FIELD, "matrix", 1),
    "matrix with a string": ('{"op":"obj_place","id":1,"object":30,"matrix":[1,0,0,0,1,0,0,0,1,0,0,"0"]}', FIELD, "matrix", 1),
    "matrix with 1e39": ('{"op":"obj_place","id":1,"object":30,"matrix":[1,0,0,0,1,0,0,0,1,0,0,1e39]}', FIELD, "matrix", 1),
    "matrix with null": ('{"op":"obj_place","id":1,"object":30,"matrix":[1,0,0,0,1,0,0,0,1,0,0,null]}', FIELD, "matrix", 1),
    "flat camera matrix": ('{"op":"camera_place","id":1,"matrix":[0,0,0,0,0,0,0,0,0,0,0,0]}', FIELD, "matrix", 1),
    "visible is 2": ('{"op":"env_show","id":1,"ref":1,"visible":2}', FIELD, "visible", 1),
    "mode unknown": ('{"op":"cm_anim","id":1,"mode":"Both","anim":"crane"}', FIELD, "mode", 1),
    "anim unknown": ('{"op":"env_setanim","id":1,"object":30,"anim":"nosuch"}', {"no_anim"}, "anim", 1),
    "anim is empty": ('{"op":"env_setanim","id":1,"object":30,"anim":""}', {"no_anim", "bad_field"}, "anim", 1),
    "anim of 64 characters": ('{"op":"env_setanim","id":1,"object":30,"anim":"%s"}' % ("x" * 64), {"no_anim", "bad_field"}, "anim", 1),
    "object unknown": ('{"op":"env_anim","id":1,"object":33}', {"no_object"}, "object", 1),
    "BSL that is none": ("hello, world", ANY_TEXT | {"unknown_op"}, None, None),
    "BSL with an open bracket": ("obj_kill(30", {"bad_script"}, None, None),
    "BSL with an open string": ('env_setanim 30 "crane', {"bad_script"}, None, None),
    "BSL with a control character": ("obj_kill 30\x01", {"bad_script", "bad_field"}, None, None),
    "BSL unknown command": ("obj_kil 30", {"unknown_op"}, None, None),
    "BSL text is a number": ('{"op":"bsl","id":1,"text":5}', FIELD, "text", 1),
    "BSL of 100 KB that is none": ("(" * 100000, {"bad_script"}, None, None),
    "resume under a manual clock": ('{"op":"resume","id":1}', {"not_supported"}, None, 1),
    "later version's op": ('{"op":"subscribe","id":1}', {"unknown_op", "not_supported"}, None, 1),
}


@pytest.fixture(scope="module")
def shared(warehouse):
    with daemon.Daemon([warehouse[0]], warehouse[1]) as running:
        yield running


@pytest.fixture()
def client(shared):
    made = shared.settled()
    yield made
    made.close()


@pytest.mark.parametrize("name", CASES)
def test_malformed(client, name):
    text, codes, field, re = CASES[name]
    before = client.do("info")["hash"]
    client.send(text)
    answer = client.recv()
    assert answer["op"] == "error", answer
    assert answer["code"] in codes, answer
    if re != "*":
        assert answer["re"] == re and "re" in answer, answer
    fields = field if isinstance(field, set) else {field}
    if fields != {None} or codes == JSON_TEXT:
        named = answer.get("field")
        assert named in fields or (named and named.split("[")[0] in fields), answer
    assert answer["message"] and isinstance(answer["tick"], int)
    if codes <= {"bad_json", "bad_script"}:
        assert "line" in answer or "line" in answer["message"] or "column" in answer["message"], answer
    client.send('{"op":"ping","id":"after"}')
    assert client.recv() == {"op": "reply", "re": "after", "tick": answer["tick"], "result": {}}  # exactly one answer
    assert client.do("info")["hash"] == before


@pytest.mark.parametrize("text,re", [
    ('{"op":"ping","id":"\\ud83d\\ude00"}', "\U0001f600"), (' \t\r\n{"op":"ping","id":1} \n', 1), ('{"op":"ping","id":-5}', -5),
    ('{"op":"ping","id":9007199254740991}', 9007199254740991), ('{"op":"ping","id":1.0}', 1), ('{"op":"ping","id":1e2}', 100),
    ('{"op":"ping","x-any":{"deep":[[[1]]]},"id":0}', 0), ('{"op":"ping"}', None), ('{"\\u006fp":"ping","id":"a\\"b"}', 'a"b'),
    ('{"op":"ping","id":"%s"}' % ("\u00e9" * 64), "\u00e9" * 64)])
def test_well_formed(client, text, re):
    client.send(text)
    answer = client.recv()
    assert (answer["op"], answer["re"]) == ("reply", re), answer


def test_hundred_kilobytes_in_one_message(client):
    client.send(json.dumps({"op": "bsl", "id": 1, "text": "# " + "x" * 100000 + "\nobj_hide 30\nobj_show 30"}))
    answer, _ = client.until(lambda m: m["op"] in ("reply", "error"))
    assert answer["re"] == 1 and len(answer["result"]["results"]) == 2, answer
    client.ask("ping")
    client.send({"op": "ping", "id": 2, "x-long": "y" * 100000})
    assert client.recv()["re"] == 2


def test_fragments_with_pings_between(client):
    text = b'{"op":"ping","id":"\xf0\x9f\x98\x80 in pieces"}'
    for i in range(len(text)):
        opcode = websocket.ABNF.OPCODE_TEXT if i == 0 else websocket.ABNF.OPCODE_CONT
        client.ws.send_frame(websocket.ABNF(int(i == len(text) - 1), 0, 0, 0, opcode, 1, text[i:i + 1]))
        if i % 3 == 0:
            client.ws.ping(b"%d" % i)
    assert client.recv()["re"] == "\U0001f600 in pieces"


def test_pieces_on_the_wire(client):
    """One frame, its bytes trickling in."""
    frame = websocket.ABNF(1, 0, 0, 0, websocket.ABNF.OPCODE_TEXT, 1, b'{"op":"ping","id":"slowly"}').format()
    for i in range(len(frame)):
        client.ws.sock.sendall(frame[i:i + 1])
        time.sleep(0.002)
    assert client.recv()["re"] == "slowly"


def test_a_message_of_just_the_limit(client):
    frame = '{"op":"ping","id":1,"x-fill":"%s"}'
    client.send(frame % ("y" * (MEBI - len(frame) + 2)))
    assert client.recv()["re"] == 1


def closed_by(client, code, reason=True):
    got, why = client.close_code()
    assert got == code, (got, why)
    assert why or not reason


@pytest.mark.parametrize("data", [b"\xff", b'{"op":"ping","id":"\xc0\xaf"}', b'{"op":"\xed\xa0\x80"}', b'{"op":"ping","id":"\xe2\x82'])
def test_invalid_utf8_closes_1007(client, data):
    client.ws.send(data, websocket.ABNF.OPCODE_TEXT)
    closed_by(client, 1007)


def test_binary_closes_1003(client):
    client.ws.send(b'{"op":"ping"}', websocket.ABNF.OPCODE_BINARY)
    closed_by(client, 1003)


def test_one_byte_over_the_limit_closes_1009(client):
    try:
        client.ws.send("x" * (MEBI + 1))
    except OSError:
        pass  # it need not read what it refuses
    closed_by(client, 1009)


def test_a_declared_giant_closes_1009_at_its_header(client):
    client.ws.sock.sendall(b"\x81\xff" + struct.pack(">Q", 1 << 62) + b"\0\0\0\0" + b"x" * 100)
    closed_by(client, 1009)


def test_endless_fragments_close_1009(shared, client):
    before = shared.settled()
    rss = before.do("info")["rss_bytes"]
    piece = b"y" * 16384
    try:
        client.ws.send_frame(websocket.ABNF(0, 0, 0, 0, websocket.ABNF.OPCODE_TEXT, 1, piece))
        for _ in range(200):
            client.ws.send_frame(websocket.ABNF(0, 0, 0, 0, websocket.ABNF.OPCODE_CONT, 1, piece))
    except OSError:
        pass
    closed_by(client, 1009)
    assert before.do("info")["rss_bytes"] - rss < 8 * MEBI
    before.close()


def test_half_a_message_then_silence_closes_1008(warehouse):
    """Further bytes do not prolong it. A connection that says nothing at all lives on."""
    with daemon.Daemon([warehouse[0]], args=["--message-s", 1]) as running:
        quiet, client = running.settled(), running.settled()
        frame = websocket.ABNF(1, 0, 0, 0, websocket.ABNF.OPCODE_TEXT, 1, b'{"op":"ping","id":"never whole"}').format()
        began = time.monotonic()
        for byte in frame[:12]:
            client.ws.sock.sendall(bytes([byte]))
            time.sleep(0.05)
        code, reason = client.close_code(5)
        assert (code, bool(reason)) == (1008, True)
        assert 0.9 < time.monotonic() - began < 3
        time.sleep(1.2)
        assert quiet.do("ping") == {}
        quiet.close()


def test_half_a_handshake_is_closed(warehouse):
    with daemon.Daemon([warehouse[0]], args=["--handshake-s", 1]) as running:
        for data in (b"", b"GET /ws HTTP/1.1\r\nHost: 127.0"):
            with socket.create_connection(running.host_port, timeout=6) as sock:
                began = time.monotonic()
                sock.sendall(data)
                while sock.recv(4096):
                    pass
                assert time.monotonic() - began < 4


def test_a_flood_is_answered_and_harms_nobody(live):
    """5000 requests in a burst: each has one answer, in order; what is too much is told; others keep their rate."""
    flood, good = live.settled(), live.settled()
    for n in range(5000):
        flood.send('{"op":"ping","id":%d}' % n)
    answers = []
    while len(answers) < 5000:
        message = flood.recv()
        if message["op"] in ("reply", "error"):
            answers.append(message)
    assert [m["re"] for m in answers] == list(range(5000))
    limited = [m for m in answers if m["op"] == "error"]
    assert {m["code"] for m in limited} == {"rate_limited"}
    assert 1000 < len(limited) < 4500
    start = good.until(lambda m: m["op"] == "frame")[0]["tick"]
    good.until(lambda m: m["op"] == "frame" and m["tick"] > start + 30)
    assert not any(m.get("skipped", 0) > 6 for m in good.log)
    time.sleep(1.1)
    flood.do("ping")
    flood.close()
    good.close()


@pytest.mark.skipif(os.environ.get("LC_ALL") == "C", reason="this run is for the C locale")
def test_a_comma_for_the_point_changes_nothing(warehouse):
    """Whatever LC_ALL says, numbers keep their point (the locale may not be installed: then it is C)."""
    with daemon.Daemon([warehouse[0]], warehouse[1], env={"LC_ALL": "de_DE.UTF-8"}) as running:
        client = running.settled()
        assert client.do("gs_fov_set", fov=72.5) == {"fov": 72.5}
        truck = next(o for o in client.log[1]["objects"] if o["object"] == 40)
        assert truck["m"][0] == pytest.approx(1.82)
        client.close()
