"""D-Bus by hand: a peer that can say what no library would let it say, and does not have to listen.

Values are given with their signature: `pack("sav", ["text", [("u", 3)]])`; a variant is `(signature, value)`."""

import array
import functools
import os
import select
import socket
import struct
import threading
import time

FIXED = {"y": "B", "b": "I", "n": "h", "q": "H", "i": "i", "u": "I", "x": "q", "t": "Q", "d": "d", "h": "I"}
ALIGN = {"y": 1, "n": 2, "q": 2, "g": 1, "v": 1, "x": 8, "t": 8, "d": 8, "(": 8, "{": 8}
CALL, REPLY, ERROR, SIGNAL = 1, 2, 3, 4
DRIVER = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")


class Gone(OSError):
    """The other side of the socket closed it."""


def first(signature):
    """The first complete type of a signature, and the rest."""
    depth = 0
    for place, letter in enumerate(signature):
        depth += (letter in "({") - (letter in ")}")
        if depth == 0 and letter != "a":
            return signature[: place + 1], signature[place + 1 :]
    raise ValueError(signature)


def types(signature):
    while signature:
        one, signature = first(signature)
        yield one


def pad(out, boundary):
    out += b"\0" * (-len(out) % boundary)


def put(out, kind, value):
    letter = kind[0]
    pad(out, ALIGN.get(letter, 4))
    if letter in FIXED:
        out += struct.pack("<" + FIXED[letter], value)
    elif letter in "so":
        data = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
        out += struct.pack("<I", len(data)) + data + b"\0"
    elif letter == "g":
        out += bytes([len(value)]) + value.encode() + b"\0"
    elif letter == "v":
        put(out, "g", value[0])
        put(out, value[0], value[1])
    elif letter == "a":
        start = len(out)
        out += b"\0\0\0\0"
        pad(out, ALIGN.get(kind[1], 4))
        begin = len(out)
        if isinstance(value, bytes):
            out += value  # elements made beforehand
        else:
            for element in value.items() if isinstance(value, dict) else value:
                put(out, kind[1:], element)
        struct.pack_into("<I", out, start, len(out) - begin)
    else:
        for one, part in zip(types(kind[1:-1]), value):
            put(out, one, part)


def pack(signature, values):
    out = bytearray()
    for kind, value in zip(types(signature), values):
        put(out, kind, value)
    return bytes(out)


def take(data, place, kind, order):
    """A value and the place after it."""
    letter = kind[0]
    place += -place % ALIGN.get(letter, 4)
    if letter in FIXED:
        form = order + FIXED[letter]
        return struct.unpack_from(form, data, place)[0], place + struct.calcsize(form)
    if letter in "so":
        end = place + 4 + struct.unpack_from(order + "I", data, place)[0]
        return bytes(data[place + 4 : end]).decode("utf-8", "surrogateescape"), end + 1
    if letter == "g":
        end = place + 1 + data[place]
        return bytes(data[place + 1 : end]).decode(), end + 1
    if letter == "v":
        inner, place = take(data, place, "g", order)
        value, place = take(data, place, inner, order)
        return (inner, value), place
    if letter == "a":
        length = struct.unpack_from(order + "I", data, place)[0]
        place += 4
        place += -place % ALIGN.get(kind[1], 4)
        end, found = place + length, []
        if kind[1] == "y":
            return bytes(data[place:end]), end
        while place < end:
            value, place = take(data, place, kind[1:], order)
            found.append(value)
        return (dict(found) if kind[1] == "{" else found), end
    found = []
    for one in types(kind[1:-1]):
        value, place = take(data, place, one, order)
        found.append(value)
    return tuple(found), place


class Answer:
    """A message that came in."""

    def __init__(self, head, fields, body):
        order = "<" if head[0:1] == b"l" else ">"
        self.kind, self.flags = head[1], head[2]
        self.serial = struct.unpack_from(order + "I", head, 8)[0]
        self.fields, self.order, self.body = self._fields(fields, order), order, body

    @staticmethod
    def _fields(data, order):
        found, place = {}, 0
        while place < len(data):
            (code, (_, value)), place = take(data, place, "(yv)", order)
            found[code] = value
        return found

    reply_serial = property(lambda self: self.fields.get(5))
    member = property(lambda self: self.fields.get(3))
    interface = property(lambda self: self.fields.get(2))
    path = property(lambda self: self.fields.get(1))
    error = property(lambda self: self.fields.get(4))
    sender = property(lambda self: self.fields.get(7))
    signature = property(lambda self: self.fields.get(8, ""))

    def values(self):
        place, found = 0, []
        for kind in types(self.signature):
            value, place = take(self.body, place, kind, self.order)
            found.append(value)
        return found


def message(kind, serial, fields, signature="", body=b"", flags=0, descriptors=0):
    """The bytes of a message. `fields` maps header codes to (signature, value)."""
    fields = dict(fields)
    if signature:
        fields[8] = ("g", signature)
    if descriptors:
        fields[9] = ("u", descriptors)
    out = bytearray(struct.pack("<BBBBII", ord("l"), kind, flags, 1, len(body), serial))
    put(out, "a(yv)", [(code, value) for code, value in fields.items()])
    pad(out, 8)
    return bytes(out) + body


def in_turn(do):
    @functools.wraps(do)
    def doing(self, *values, **more):
        with self.turn:
            return do(self, *values, **more)

    return doing


class Peer:
    """One connection to a bus."""

    def __init__(self, address, limit=20):
        path = dict(part.split("=", 1) for part in address.split(":", 1)[1].split(","))
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(limit)
        self.socket.connect(path.get("path") or "\0" + path["abstract"])
        uid = str(os.getuid()).encode().hex()
        self.socket.sendall(f"\0AUTH EXTERNAL {uid}\r\n".encode())
        self._line()
        self.socket.sendall(b"NEGOTIATE_UNIX_FD\r\n")
        self._line()
        self.socket.sendall(b"BEGIN\r\n")
        # One may answer in a thread while another tells: half a message in the middle of another ends the connection.
        self.turn = threading.RLock()
        self.serial, self.limit, self.heard = 0, limit, []
        self.name = self.ask(*DRIVER, "Hello").values()[0]

    def _line(self):
        line = b""
        while not line.endswith(b"\r\n"):
            part = self.socket.recv(1)
            if not part:
                raise Gone("no bus")
            line += part
        return line

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def make(self, destination, path, interface, member, signature="", values=(), flags=0, body=None, descriptors=0):
        """A call's bytes; its serial is `self.serial` then."""
        self.serial += 1
        fields = {1: ("o", path), 3: ("s", member), 6: ("s", destination)}
        if interface is not None:
            fields[2] = ("s", interface)
        body = pack(signature, values) if body is None else body
        return message(CALL, self.serial, fields, signature, body, flags, descriptors)

    @in_turn
    def send(self, *call, **more):
        """Sends a call and does not wait. Gives its serial."""
        descriptors = more.pop("pass_fds", ())
        data = self.make(*call, **more, descriptors=len(descriptors))
        if descriptors:
            ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
            sent = self.socket.sendmsg([data], ancillary)
            data = data[sent:]
        self.socket.sendall(data)
        return self.serial

    @in_turn
    def signal(self, path, interface, member, signature="", values=(), to=None):
        self.serial += 1
        fields = {1: ("o", path), 2: ("s", interface), 3: ("s", member)}
        if to:
            fields[6] = ("s", to)
        self.socket.sendall(message(SIGNAL, self.serial, fields, signature, pack(signature, values)))

    @in_turn
    def reply(self, to, serial, signature="", values=(), error=None):
        self.serial += 1
        fields = {5: ("u", serial), 6: ("s", to)}
        if error:
            fields[4] = ("s", error)
        kind = ERROR if error else REPLY
        self.socket.sendall(message(kind, self.serial, fields, signature, pack(signature, values), flags=1))

    def exactly(self, count):
        data = bytearray()
        while len(data) < count:
            part = self.socket.recv(min(count - len(data), 1 << 20))
            if not part:
                raise Gone("the bus closed the connection")
            data += part
        return bytes(data)

    def next(self):
        head = self.exactly(16)
        order = "<" if head[0:1] == b"l" else ">"
        body, _, fields = struct.unpack(order + "III", head[4:16])
        rest = self.exactly(fields + (-fields % 8) + body)
        return Answer(head, rest[:fields], rest[fields + (-fields % 8) :])

    def answer(self, serial):
        end = time.monotonic() + self.limit
        while time.monotonic() < end:
            found = self.next()
            if found.kind in (REPLY, ERROR) and found.reply_serial == serial:
                return found
            self.heard.append(found)
            del self.heard[:-1000]
        raise TimeoutError(f"no answer to {serial}")

    def ask(self, *call, **more):
        return self.answer(self.send(*call, **more))

    def driver(self, member, signature="", values=()):
        return self.ask(*DRIVER, member, signature, values)

    def pending(self):
        """Whether something can be read."""
        return bool(select.select([self.socket], [], [], 0)[0])
