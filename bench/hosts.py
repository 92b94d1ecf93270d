"""The media hosts of the download figures: nginx at full speed, `pacer.py` with a pace or a delay. All tools ask the same
one, and its log says what went over the wire."""

import os
import pathlib
import shutil
import socket
import sys
import time

from house import HERE, Missed, wait

NGINX = """daemon off; worker_processes 1; pid {home}/pid; error_log {home}/errors; {user}
events {{ worker_connections 512; }}
http {{ sendfile on; tcp_nopush on; keepalive_requests 10000;
 types {{ audio/mpeg mp3; application/vnd.apple.mpegurl m3u8; video/mp2t ts; }}
 log_format sent '$body_bytes_sent $connection $uri'; access_log {home}/log sent;
 client_body_temp_path {home}; proxy_temp_path {home}; fastcgi_temp_path {home}; uwsgi_temp_path {home};
 scgi_temp_path {home}; server {{ listen 127.0.0.1:{port}; root {folder}; }} }}
"""


def free_port():
    """A port nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Host:
    """A running media host; `since` tells its log from here on."""

    def __init__(self, house, folder, words, port):
        self.home, self.port, self.read = folder, port, 0
        self.url = f"http://127.0.0.1:{port}"
        (self.home / "log").touch()
        self.child = house.spawn(words)
        wait(words[0], self.answers, 10)

    def answers(self):
        """Whether it takes connections."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def since(self):
        """(bytes of bodies sent, requests, connections) since the last call. A line is written when an answer ends."""
        time.sleep(0.3)
        lines = (self.home / "log").read_text().splitlines()
        fresh, self.read = lines[self.read:], len(lines)
        rows = [line.split(" ", 2) for line in fresh]
        return sum(int(row[0]) for row in rows), len(rows), len({row[1] for row in rows})

    def stop(self):
        """Ends it."""
        self.child.terminate()
        self.child.wait(10)


def nginx(house, media):
    """nginx-light over a folder, as fast as it goes."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin:/bin")
    if not program:
        raise Missed("nginx is not installed (Debian: nginx-light)")
    home, port = pathlib.Path(house.home / "nginx"), free_port()
    home.mkdir(exist_ok=True)
    user = "user root;" if os.geteuid() == 0 else ""
    (home / "conf").write_text(NGINX.format(home=home, port=port, folder=media, user=user))
    return Host(house, home, [program, "-p", str(home), "-c", str(home / "conf"), "-e", str(home / "errors")], port)


def paced(house, media, rate=0, delay=0):
    """`pacer.py` over a folder."""
    port = free_port()
    home = pathlib.Path(house.home / f"pacer-{port}")
    home.mkdir()
    words = [sys.executable, str(HERE / "pacer.py"), port, rate, delay, media, home / "log"]
    return Host(house, home, [str(word) for word in words], port)
