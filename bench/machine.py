"""What a run was taken on and with: the machine without its name, and the version of everything."""

import os
import pathlib
import platform
import re
import subprocess
import sys

#: Debian packages whose version stands in the report.
PACKAGES = ("mpd", "mpc", "mpdris2", "mopidy", "mopidy-mpris", "mpv", "mpv-mpris", "cmus", "playerctl", "aria2", "curl",
            "ffmpeg", "nginx-light", "pulseaudio", "dbus-daemon", "systemd", "valgrind", "libgstreamer1.0-0", "libdbus-1-3",
            "libcurl4", "libsqlite3-0", "libc6", "gcc", "python3")


def said(*words):
    """The first line a program prints, or nothing."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip().split("\n")[0] if not done.returncode else ""


def packages():
    """{name: version} of those that are installed."""
    found = {}
    for name in PACKAGES:
        line = said("dpkg-query", "-W", "-f=${Status}\t${Version}\n", name).split("\t")
        if len(line) == 2 and line[0] == "install ok installed":
            found[name] = line[1]
    return found


def field(path, name):
    """A value of a file of lines `name: value` or `name=value`."""
    try:
        text = pathlib.Path(path).read_text()
    except OSError:
        return ""
    found = re.search(rf"(?m)^{re.escape(name)}\s*[:=]\s*(.*)$", text)
    return found[1].strip().strip('"') if found else ""


def facts(programs):
    """Everything about the machine and the programs; no name of a host, no path."""
    root = pathlib.Path(__file__).resolve().parent.parent
    memory = field("/proc/meminfo", "MemTotal").split() or ["0"]
    versions = {"nyand": said(str(programs / "nyand"), "--version").removeprefix("nyand ")}
    commit = said("git", "-C", str(root), "rev-parse", "--short", "HEAD")
    if commit:
        versions["nyand"] += f" ({commit})"
    yt_dlp = root / ".build/bench/yt-dlp/version"
    versions.update(packages())
    versions["yt-dlp (PyPI)"] = yt_dlp.read_text().partition("==")[2] if yt_dlp.exists() else ""
    return {
        "system": field("/etc/os-release", "PRETTY_NAME"), "kernel": platform.release().split("-")[0],
        "processor": field("/proc/cpuinfo", "model name") or platform.machine(),
        "cores": len(os.sched_getaffinity(0)), "memory GiB": round(int(memory[0]) / 2**20),
        "python": sys.version.split()[0], "load before": os.getloadavg()[0],
        "versions": {name: version for name, version in versions.items() if version},
    }
