import NyanCore

/// A server that answers with bytes no HTTP server would send: the path names them. Ends with this process.
enum RawServer {
    private static let shared = Result { try start() }

    static func url(_ name: String) throws -> Secret { Secret("http://127.0.0.1:\(try shared.get())/\(name)") }

    private static func start() throws -> Int {
        let child = try ChildProcess.start(["/usr/bin/python3", "-c", script])
        guard let port = Int(ChildProcess.readLine(child.output)) else { throw ChildProcess.Failed(program: "python3") }
        return port
    }

    private static let script = #"""
        import os, socket, sys, threading, zlib

        OK = b"HTTP/1.1 200 OK\r\n"
        MB = 1 << 20

        def repeated(first, piece, count=1 << 30):
            def send(link):
                link.sendall(first)
                for _ in range(count): link.sendall(piece)
            return send

        def bomb(kind, encoding):
            packer = zlib.compressobj(9, wbits=kind)
            first = packer.compress(b"{") + packer.flush(zlib.Z_FULL_FLUSH)
            block = packer.compress(b"0" * (8 * MB)) + packer.flush(zlib.Z_FULL_FLUSH)
            return repeated(OK + b"Content-Encoding: " + encoding + b"\r\n\r\n" + first, block, 1280)

        def dripping(link):
            link.sendall(OK)
            while True:
                link.sendall(b"X-Slow: " + b"y" * 100 + b"\r\n")
                threading.Event().wait(0.1)

        BIG = str(1 << 63).encode()
        ANSWERS = {
            "endless-headers": repeated(OK, b"X-More: yes\r\n" * 1000),
            "endless-cookies": repeated(OK, b"Set-Cookie: c=1; domain=.example.org\r\n" * 1000),
            "endless-header": repeated(OK + b"X: ", b"y" * 65536),
            "endless-interim": repeated(b"", b"HTTP/1.1 102 Processing\r\n\r\n" * 1000),
            "endless-trailers": repeated(OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", b"X: y\r\n" * 1000),
            "endless-body": repeated(OK + b"\r\n", b"x" * MB),
            "endless-chunks": repeated(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"100000\r\n" + b"x" * MB + b"\r\n"),
            "gzip-bomb": bomb(31, b"gzip"),
            "deflate-bomb": bomb(15, b"deflate"),
            "bomb-in-bomb": bomb(31, b"gzip, gzip"),
            "dripping": dripping,
            "http-0.9": b'{"response":1}',
            "rubbish": bytes((i * 73 + (i >> 3)) & 255 for i in range(65536)),
            "http2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
            "status": b"HTTP/1.1 99999999999999999999 OK\r\n\r\n{}",
            "negative-length": OK + b"Content-Length: -5\r\n\r\n{}",
            "length-2^63": OK + b"Content-Length: " + BIG + b"\r\n\r\n{}",
            "length-2^63-1": OK + b"Content-Length: 9223372036854775807\r\n\r\n{}",
            "chunk-2^64": OK + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}",
            "chunk-negative": OK + b"Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n",
            "to-file": b"HTTP/1.1 302 X\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
            "to-gopher": b"HTTP/1.1 302 X\r\nLocation: gopher://127.0.0.1:70/_x\r\nContent-Length: 0\r\n\r\n",
            "to-rubbish": b"HTTP/1.1 302 X\r\nLocation: http://[::1%25\x01]:99999/\r\nContent-Length: 0\r\n\r\n",
            "to-itself": b"HTTP/1.1 302 X\r\nLocation: /to-itself\r\nContent-Length: 0\r\n\r\n",
            "redirect-body": repeated(b"HTTP/1.1 302 X\r\nLocation: /redirect-body\r\n\r\n", b"x" * MB),
        }

        def serve(link):
            try:
                with link, link.makefile("rb") as reader:
                    name = reader.readline().split()[1].decode().strip("/")
                    while reader.readline().strip(): pass
                    answer = ANSWERS[name]
                    answer(link) if callable(answer) else link.sendall(answer)
            except (OSError, KeyError, IndexError): pass

        listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        print(listener.getsockname()[1], flush=True)
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
        """#
}
