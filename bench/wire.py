# SPDX-License-Identifier: MIT
"""A WebSocket client just large enough to read what a server says, so that the benches can check it.

Not here: load (load_client.c).
"""
import json
import socket
import struct


class Reader:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 10)
        self.stream = self.socket.makefile("rb")
        self.socket.sendall(b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\n"
                            b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n" % port)
        while self.stream.readline() not in (b"\r\n", b""):
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stream.close()
        self.socket.close()

    def message(self):
        """The next message, as bytes."""
        while True:
            head, length = self.stream.read(2)
            if length == 126:
                length = struct.unpack(">H", self.stream.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.stream.read(8))[0]
            payload = self.stream.read(length)
            if head & 0x0F == 1:
                return payload

    def frame(self):
        """The next frame message that is one of the everyday kind, as bytes."""
        while True:
            message = self.message()
            if message.startswith(b'{"op":"frame"'):
                return message


def matrices(message):
    """{object: (anim, frame, m)} of a frame message."""
    return {e["object"]: (e["anim"], e["frame"], e["m"]) for e in json.loads(message)["objects"]}
