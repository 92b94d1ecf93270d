"""The least D-Bus that can ask a question without arguments and time the answer: no process is started for it, so what
is measured is the daemon."""

import os
import socket
import struct
import time


class Bus:
    def __init__(self, address):
        path = dict(part.split("=", 1) for part in address.split(":", 1)[1].split(","))
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(10)
        self.socket.connect(path.get("path") or "\0" + path["abstract"])
        uid = str(os.getuid()).encode().hex()
        self.socket.sendall(f"\0AUTH EXTERNAL {uid}\r\n".encode())
        if not self.socket.recv(512).startswith(b"OK"):
            raise OSError("the bus refused us")
        self.socket.sendall(b"BEGIN\r\n")
        self.serial = 0
        self.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")

    def call(self, destination, path, interface, member):
        """Seconds until the answer (also an error is one)."""
        self.serial += 1
        fields = b""
        for code, kind, text in ((1, "o", path), (2, "s", interface), (3, "s", member), (6, "s", destination)):
            fields += b"\0" * (-len(fields) % 8)
            data = text.encode()
            fields += bytes([code, 1]) + kind.encode() + b"\0" + struct.pack("<I", len(data)) + data + b"\0"
        head = b"l\1\0\1" + struct.pack("<III", 0, self.serial, len(fields)) + fields
        start = time.monotonic()
        self.socket.sendall(head + b"\0" * (-len(head) % 8))
        while True:
            kind, serial = self.message()
            if kind in (2, 3) and serial == self.serial:
                return time.monotonic() - start

    def message(self):
        """Type and reply serial of the next message."""
        head = self.exactly(16)
        order = "<" if head[0:1] == b"l" else ">"
        body, _, fields = struct.unpack(order + "III", head[4:16])
        rest = self.exactly(fields + (-fields % 8) + body)
        place, serial = 0, 0
        while place < fields:
            place += -place % 8
            code, signature = rest[place], rest[place + 2 : place + 3]
            place += 4
            if signature == b"u":
                number = struct.unpack(order + "I", rest[place : place + 4])[0]
                serial = number if code == 5 else serial
                place += 4
            elif signature == b"g":
                place += rest[place] + 2
            else:
                place += struct.unpack(order + "I", rest[place : place + 4])[0] + 5
        return head[1], serial

    def exactly(self, count):
        parts = b""
        while len(parts) < count:
            part = self.socket.recv(count - len(parts))
            if not part:
                raise OSError("the bus is gone")
            parts += part
        return parts
