/// The HTTP server of these tests: Python's own, told by the path how to misbehave. `/TOKEN/MODE/SIZE` with one token
/// per test keeps parallel tests apart; `/TOKEN/log` tells what was asked. Ends when its standard input closes.
let serverScript = #"""
    import http.server, json, os, shutil, sys, threading, time, urllib.parse

    ROOT = sys.argv[1]
    LOCK = threading.Lock()
    HELD, MOST = {}, {}
    LOGS, COUNTS, GATES, FAULTS, BODIES, LINKS = {}, {}, {}, {}, {}, set()
    HTML = b"<!doctype html><html><body>This link is no longer valid</body></html>"

    def sound(size, seed):
        with LOCK:
            if (size, seed) not in BODIES:
                body = bytearray((i * 31 + (i >> 8) * 7 + seed * 13) & 255 for i in range(size))
                for at in range(0, size - 3, 417):
                    body[at:at + 4] = b"\xff\xfb\x90\x64"
                BODIES[size, seed] = bytes(body)
            return BODIES[size, seed]

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def log_message(self, *_):
            pass

        def do_POST(self):
            self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.do_GET()

        def do_GET(self):
            parsed = urllib.parse.urlsplit(self.path)
            parts = parsed.path.strip("/").split("/")
            self.query = dict(urllib.parse.parse_qsl(parsed.query))
            self.token, mode = parts[0], parts[1] if len(parts) > 1 else ""
            if mode == "log":
                with LOCK:
                    return self.send(200, json.dumps(LOGS.get(self.token, [])).encode())
            if mode == "most":
                with LOCK:
                    return self.send(200, str(MOST.get(self.token, 0)).encode())
            if mode == "open":
                gate(self.token).set()
                return self.send(200, b"")
            if mode == "fault":
                with LOCK:
                    FAULTS[self.token, self.query["path"]] = [self.query.get("kind", ""), int(self.query["times"])]
                return self.send(200, b"")
            with LOCK:
                headers = {name.lower(): value for name, value in self.headers.items()}
                entry = {"path": self.path, "method": self.command, "headers": headers,
                         "body": getattr(self, "body", b"").decode(), "link": self.client_address[1]}
                LOGS.setdefault(self.token, []).append(entry)
                self.turn = COUNTS[self.token, mode] = COUNTS.get((self.token, mode), 0) + 1
            if self.path.startswith("/err404"):
                return self.send(200, HTML, {"Content-Type": "text/html"})
            if mode == "dir":
                return self.directory("/".join(parts[2:]))
            self.size = int(parts[2]) if len(parts) > 2 and parts[2].isdigit() else 0
            getattr(self, "mode_" + mode)()

        def send(self, status, body, headers={}, length=None, cut=None):
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body) if length is None else length))
            self.end_headers()
            self.wfile.write(body if cut is None else body[:cut])
            self.wfile.flush()
            if cut is not None:
                self.close_connection = True

        def ranged(self, body, tag='"v1"', shift=0, total=None, honest=True, modified=None, write=None):
            headers = {"Accept-Ranges": "bytes", "Content-Type": "audio/mpeg"}
            if tag: headers["ETag"] = tag
            if modified: headers["Last-Modified"] = modified
            asked, proof = self.headers.get("Range"), self.headers.get("If-Range")
            if not asked or (honest and proof and proof not in (tag, modified)):
                return self.answer(200, body, headers, write)
            first, last = asked[len("bytes="):].split("-")
            first, last = int(first) - shift, int(last) if last else len(body) - 1
            if first >= len(body):
                headers["Content-Range"] = "bytes */%d" % len(body)
                return self.send(416, b"", headers)
            headers["Content-Range"] = "bytes %d-%d/%s" % (first, last, total or len(body))
            self.answer(206, body[first:last + 1], headers, write)

        def answer(self, status, body, headers, write):
            if write is None:
                return self.send(status, body, headers)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            write(body)

        def cut_half(self, body):
            self.wfile.write(body[:len(body) // 2])
            self.wfile.flush()
            self.close_connection = True

        def hold_half(self, body):
            self.wfile.write(body[:len(body) // 2])
            self.wfile.flush()
            with LOCK:
                HELD[self.token] = HELD.get(self.token, 0) + 1
                MOST[self.token] = max(MOST.get(self.token, 0), HELD[self.token])
            gate(self.token).wait(30)
            with LOCK:
                HELD[self.token] -= 1
            self.wfile.write(body[len(body) // 2:])

        def steady(self, body):
            for at in range(0, len(body), 16384):
                self.wfile.write(body[at:at + 16384])
                self.wfile.flush()
                gate(self.token).wait(0.004)
        def mode_steady(self): self.ranged(sound(self.size, 1), write=self.steady)

        def drip(self, body):
            for at in range(len(body)):
                self.wfile.write(body[at:at + 1])
                self.wfile.flush()
                if gate(self.token).wait(0.25):
                    break
            self.close_connection = True

        def mode_good(self): self.ranged(sound(self.size, 1))
        def mode_dated(self):
            body = sound(self.size, 1)
            self.ranged(body, tag='W/"weak"', modified="Wed, 21 Oct 2015 07:28:00 GMT",
                        write=self.cut_half if self.turn == 1 else None)
        def mode_unranged(self):
            self.send(200, sound(self.size, 1), {"ETag": '"v1"'}, cut=self.size // 2 if self.turn == 1 else None)
        def mode_unproven(self):
            self.send(200, sound(self.size, min(self.turn, 2)), cut=self.size // 2 if self.turn == 1 else None)
        def mode_cut(self): self.ranged(sound(self.size, 1), write=self.cut_half if self.turn == 1 else None)
        def mode_changed(self):
            version = min(self.turn, 2)
            self.ranged(sound(self.size, version), tag='"v%d"' % version, write=self.cut_half if self.turn == 1 else None)
        def mode_swapped(self):
            version = min(self.turn, 2)
            self.ranged(sound(self.size, version), tag='"v%d"' % version, honest=False,
                        write=self.cut_half if self.turn == 1 else None)
        def mode_resized(self):
            first = self.turn == 1
            self.ranged(sound(self.size if first else self.size + 5000, 1 if first else 2), tag=None,
                        write=self.cut_half if first else None)
        def mode_shifted(self):
            shift = 4096 if "Range" in self.headers and not self.headers["Range"].startswith("bytes=0-") else 0
            self.ranged(sound(self.size, 1), shift=shift, write=self.cut_half if self.turn == 1 else None)
        def mode_newtag(self):
            self.ranged(sound(self.size, self.turn), tag='"v%d"' % self.turn, honest=False, write=self.cut_half)
        def mode_held(self): self.ranged(sound(self.size, 1), write=self.hold_half if self.turn == 1 else None)
        def mode_silent(self): self.ranged(sound(self.size, 1), write=self.hold_half)
        def mode_mute(self): gate(self.token).wait(30); self.close_connection = True
        def mode_drip(self): self.ranged(sound(self.size, 1), write=self.drip)
        def mode_status(self): self.send(self.size, b"no")
        def mode_busy(self): self.send(self.size, b"wait", {"Retry-After": self.query["after"]})
        def mode_page(self): self.send(200, HTML, {"Content-Type": "audio/mpeg"})
        def mode_empty(self): self.send(200, b"", {"Content-Type": "audio/mpeg"})
        def mode_expired(self): self.send(302, b"", {"Location": "/err404.php"})
        def mode_moved(self):
            if not self.path.endswith(".m3u8"): return self.send(404, b"only the list has moved")
            self.send(302, b"", {"Location": "/%s/dir/hls/%s" % (self.token, self.path.rsplit("/", 1)[1])})
        def mode_circle(self): self.send(302, b"around", {"Location": self.path})
        def mode_file(self): self.send(302, b"", {"Location": "file:///etc/hostname"})
        def mode_hop(self):
            place = "http://%s:%d/%s/good/%d" % (self.query["to"], self.server.server_port, self.token, self.size)
            self.send(int(self.query.get("status", 302)), b"", {"Location": place})
        def mode_echo(self): self.send(self.size, sound(int(self.query.get("length", 10)), 1), {"X-Two": "a", "x-two": "b"})
        def mode_packed(self):
            import gzip
            plain = b"gzip is for answers of the API" * 1000
            packed = "gzip" in self.headers.get("Accept-Encoding", "")
            self.send(200, gzip.compress(plain) if packed else plain, {"Content-Encoding": "gzip"} if packed else {})

        def mode_chunked(self): self.chunks(sound(self.size, 1), whole=True)
        def mode_halfchunked(self): self.chunks(sound(self.size, 1), whole=False)
        def chunks(self, body, whole):
            self.send_response(200)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for at in range(0, len(body) if whole else len(body) // 2, 10000):
                piece = body[at:at + 10000]
                self.wfile.write(b"%x\r\n" % len(piece) + piece + b"\r\n")
            self.wfile.write(b"0\r\n\r\n" if whole else b"")
            self.close_connection = not whole

        # One answer after another as `plan` says: words parted by ",", answers by ";"; the last one goes on for ever.
        def mode_plan(self):
            plans = self.query["plan"].split(";")
            words = dict((word.split("=") + [""])[:2] for word in plans[min(self.turn, len(plans)) - 1].split(","))
            body = bytearray(sound(int(words.get("size", self.size)), int(words.get("v", 1))))
            if "from" in words: body[int(words["from"]):] = sound(len(body), 3)[int(words["from"]):]
            if "empty" in words: body = bytearray()
            body = bytes(body)
            tags = {"weak": 'W/"w"', "turn": '"t%d"' % self.turn}
            modified = {"date": "Wed, 21 Oct 2015 07:28:00 GMT", "now": self.date_time_string()}.get(words.get("modified"))
            tag = words.get("tag")
            tag = tags.get(tag, '"%s"' % tag if tag else None)
            headers = {"Accept-Ranges": "bytes", "Content-Type": "audio/mpeg"}
            if tag: headers["ETag"] = tag
            if modified: headers["Last-Modified"] = modified
            if "status" in words: return self.send(int(words["status"]), b"no", headers)
            asked, proof = self.headers.get("Range"), self.headers.get("If-Range")
            if proof and "nocondition" not in words and proof not in (tag, modified): asked = None
            status = 200
            if asked and "norange" not in words:
                first, last = asked[len("bytes="):].split("-")
                first, last = int(first), min(int(last) if last else len(body) - 1, len(body) - 1)
                total = words.get("total", len(body))
                if first >= len(body) or "416" in words and first:
                    if words.get("416") != "bare": headers["Content-Range"] = "bytes */%s" % total
                    return self.send(416, b"", {} if "416" in words and not headers.get("Content-Range") else headers)
                if "piece" in words: last = min(last, first + int(words["piece"]) - 1)
                shift = int(words.get("shift", 0)) if first else 0
                status, body = 206, body[first - shift:last + 1 - shift]
                place = "bytes %d-%d/%s" % (first - shift, last - shift, total)
                if "notag" in words: headers.pop("ETag", None)
                if words.get("place") == "lie": place = "bytes %d-%d/%s" % (first, last - len(body) // 2, total)
                if words.get("place") == "multi":
                    headers["Content-Type"] = "multipart/byteranges; boundary=x"
                    head = b"--x\r\nContent-Range: " + place.encode() + b"\r\n\r\n"
                    body = head + body + b"\r\n--x--\r\n"
                elif words.get("place") != "none": headers["Content-Range"] = place
            if "gzip" in words:
                import gzip
                body, headers["Content-Encoding"] = gzip.compress(body, 1), "gzip"
            cut = int(words["cut"]) if "cut" in words else None
            if "chunked" in words: return self.chunked(status, body[:cut], headers, cut is None)
            self.send_response(status)
            for name, value in headers.items(): self.send_header(name, value)
            if "nolength" not in words: self.send_header("Content-Length", str(len(body) + int(words.get("more", 0))))
            self.end_headers()
            self.wfile.write(body[:cut])
            self.wfile.flush()
            self.close_connection = self.close_connection or cut is not None or "nolength" in words or "more" in words

        def chunked(self, status, body, headers, whole):
            self.send_response(status)
            for name, value in headers.items(): self.send_header(name, value)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for at in range(0, len(body), 10000):
                self.wfile.write(b"%x\r\n" % len(body[at:at + 10000]) + body[at:at + 10000] + b"\r\n")
            self.wfile.write(b"0\r\n\r\n" if whole else b"")
            self.wfile.flush()
            self.close_connection = not whole

        def directory(self, name):
            with LOCK:
                kind, times = FAULTS.get((self.token, name), ("", 0))
                if times: FAULTS[self.token, name][1] -= 1
                else: kind = ""
            with open(os.path.join(ROOT, name), "rb") as file:
                body = file.read()
            if kind.isdigit(): return self.send(int(kind), b"no")
            if kind == "empty": return self.send(200, b"")
            if kind == "rubbish": return self.send(200, b"rubbish!" * 128)
            if kind == "odd": return self.send(200, body[:-3])
            if kind == "short": return self.send(200, body[:len(body) // 376 * 188])
            if kind == "cut": return self.send(200, body, cut=len(body) // 2)
            if kind == "tail": return self.send(200, body[:-188])
            if kind == "long": return self.send(200, body + b"!")
            if kind == "other": return self.send(200, bytes(byte ^ 0x5A for byte in body))
            if kind == "away": return self.send(302, b"", {"Location": "/err404.php"})
            if kind == "page": return self.send(200, HTML)
            if name.endswith("all.ts") and "Range" in self.headers and kind != "whole":
                first, last = (int(part) for part in self.headers["Range"][len("bytes="):].split("-"))
                shift = 188 if kind == "shifted" else 0
                where = "bytes %d-%d/%d" % (first + shift, last + shift, len(body))
                return self.send(206, body[first + shift:last + 1 + shift], {"Content-Range": where})
            if kind == "hold": gate(self.token).wait(30)
            self.send(200, body)

    def gate(token):
        with LOCK:
            return GATES.setdefault(token, threading.Event())

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128
        def handle_error(self, *_): pass

    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    threading.Thread(target=lambda: (sys.stdin.read(), shutil.rmtree(ROOT), os._exit(0)), daemon=True).start()
    server.serve_forever()
    """#
