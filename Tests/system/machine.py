"""A small Debian 12 with systemd as its PID 1, in namespaces of its own: the root of a bare system made once by
debootstrap, under a layer in memory that goes with the machine. Root only. It shares the host's network, so a server on
127.0.0.1 is seen from both sides, and nothing else.
"""

import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

# What nyand links to and plays with, a session's parts, and a sound server.
PACKAGES = [
    "systemd", "systemd-sysv", "libpam-systemd", "libnss-systemd", "dbus", "dbus-user-session", "dbus-broker", "procps",
    "libdbus-1-3", "libssl3", "libsqlite3-0", "libcurl4", "libsecret-1-0", "libtag1v5", "libgstreamer1.0-0",
    "libgstreamer-plugins-base1.0-0", "gstreamer1.0-plugins-base", "gstreamer1.0-plugins-good", "pulseaudio",
    "pulseaudio-utils", "ca-certificates",
]
# Units that want a kernel, a console or a disk of their own.
MASKED = ["systemd-udevd.service", "systemd-timesyncd.service", "getty.target", "console-getty.service",
          "systemd-logind-varlink.socket", "apt-daily.timer", "apt-daily-upgrade.timer", "systemd-modules-load.service",
          "systemd-remount-fs.service", "systemd-sysctl.service", "dev-hugepages.mount", "dev-mqueue.mount",
          "sys-kernel-debug.mount", "sys-kernel-tracing.mount", "sys-fs-fuse-connections.mount", "tmp.mount"]
# As PID 1 of the new namespaces: what systemd(1) expects of a container manager, then systemd.
BEGIN = r"""
set -eu
root=$1
mount --make-rprivate /
mount -t proc proc "$root/proc"
mount -t sysfs -o ro,nosuid,nodev,noexec sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755,nosuid tmpfs "$root/dev"
mount -t tmpfs -o mode=755,nosuid,nodev tmpfs "$root/run"
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/tmp"
for node in null:3 zero:5 full:7 random:8 urandom:9; do mknod -m 666 "$root/dev/${node%:*}" c 1 "${node#*:}"; done
mknod -m 666 "$root/dev/tty" c 5 0
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$root/dev/shm"
for link in fd:/proc/self/fd stdin:/proc/self/fd/0 stdout:/proc/self/fd/1 stderr:/proc/self/fd/2; do
    ln -s "${link#*:}" "$root/dev/${link%%:*}"
done
hostname nyanbox
cd "$root"
mkdir -p .old
pivot_root . .old
umount -l /.old
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --log-target=console --show-status=no
"""


def make_root(folder):
    """The bare system, made where there is none; takes two minutes and Debian's archive."""
    if (folder / "usr").is_dir():
        return
    print(f"making a bare Debian 12 in {folder} (once)", flush=True)
    part = folder.with_name(folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    subprocess.run(
        ["debootstrap", "--variant=minbase", "--include=" + ",".join(PACKAGES), "bookworm", str(part),
         "http://deb.debian.org/debian"], check=True, stdout=subprocess.DEVNULL)
    part.rename(folder)


class Machine:
    """One machine. `start` returns when it runs; `stop` leaves nothing behind."""

    def __init__(self, bare):
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="nyan-boot-"))
        self.root = self.scratch / "root"
        # In a mount namespace of this process alone: what a killed test leaves mounted goes with it.
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(0x00020000) != 0:
            raise OSError(ctypes.get_errno(), "unshare")
        self._run("mount", "--make-rprivate", "/")
        self._run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", str(self.scratch))
        for name in ("root", "upper", "work"):
            (self.scratch / name).mkdir()
        layers = f"lowerdir={bare},upperdir={self.scratch}/upper,workdir={self.scratch}/work"
        self._run("mount", "-t", "overlay", "-o", layers, "overlay", str(self.root))
        self.process = None
        self.cgroup = None

    @staticmethod
    def _run(*words):
        subprocess.run(words, check=True)

    def prepare(self):
        """What debootstrap leaves open."""
        etc = self.root / "etc"
        (etc / "machine-id").write_text("")
        (etc / "hostname").write_text("nyanbox\n")
        for unit in MASKED:
            link = etc / "systemd/system" / unit
            link.unlink(missing_ok=True)
            link.symlink_to("/dev/null")

    def start(self, seconds=60):
        self.cgroup = self._own_cgroup()
        words = ["unshare", "--mount", "--pid", "--uts", "--ipc", "--cgroup", "--fork", "--kill-child",
                 "sh", "-c", BEGIN, "sh", str(self.root)]
        self.console = open(self.scratch / "console", "wb")
        self.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=self.console, stderr=self.console,
            preexec_fn=lambda: (self.cgroup / "cgroup.procs").write_text(str(os.getpid())))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.pid() is not None:
                state = self.run("systemctl", "is-system-running", check=False).stdout.strip()
                if state in ("running", "degraded"):
                    return state
            time.sleep(0.1)
        raise RuntimeError("it does not come up:\n" + (self.scratch / "console").read_text(errors="replace")[-3000:])

    def _own_cgroup(self):
        for place in ("/sys/fs/cgroup", "/sys/fs/cgroup/unified"):
            if pathlib.Path(place, "cgroup.subtree_control").exists():
                folder = pathlib.Path(place, f"nyan-boot-{os.getpid()}")
                folder.mkdir()
                return folder
        raise RuntimeError("no cgroup2 is mounted here")

    def pid(self):
        """The process outside that is PID 1 inside; nil until it is there."""
        try:
            text = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
            return int(text.split()[0])
        except (OSError, IndexError):
            return None

    def run(self, *words, check=True, seconds=60, text=None):
        """A command inside, as root."""
        inside = ["nsenter", "--target", str(self.pid()), "--mount", "--pid", "--uts", "--ipc", "--cgroup", "--root",
                  "--wd=/", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", *words]
        try:
            outcome = subprocess.run(inside, capture_output=True, encoding="utf-8", errors="replace", timeout=seconds,
                                     input=text)
        except subprocess.TimeoutExpired:
            outcome = subprocess.CompletedProcess(inside, 124, "", f"no end within {seconds} seconds\n")
        if check and outcome.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: {outcome.returncode}\n{outcome.stdout}{outcome.stderr}")
        return outcome

    def stop(self):
        if self.process is not None:
            # The end of a PID 1 is the end of all that is inside.
            if self.process.poll() is None and self.pid():
                os.kill(self.pid(), 9)
            self.process.wait()
            self.console.close()
        subprocess.run(["umount", "-R", "-l", str(self.root)], check=False)
        subprocess.run(["umount", "-l", str(self.scratch)], check=False)
        shutil.rmtree(self.scratch, ignore_errors=True)
        if self.cgroup is not None:
            for _ in range(100):
                try:
                    for folder, _, _ in os.walk(self.cgroup, topdown=False):
                        os.rmdir(folder)
                    return
                except OSError:
                    time.sleep(0.05)
