#!/usr/bin/python3
"""nyand under a real systemd: a small Debian with systemd as PID 1 (machine.py), nyand installed by `make install`, a
person's session with her own manager and bus (dbus-broker, then dbus-daemon) and PulseAudio, and the look-alike of VK.

Enable, start, activation, restart after crashes and none after exits 2, 3 and 4, reload, the bus dying, the end of the
session, the journal. Prints one line per promise; exit 0 = all kept. `--bus broker|daemon` for one of them only,
`--programs DIR` for other programs than .build/release, `--journal` to see what nyand said.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))
from machine import Machine, make_root  # noqa: E402

TRACK, LATER = "123456_456239965", "123456_456239998"
SETTINGS = """[vk]
api-url={api-url}
oauth-url={oauth-url}
login-url={login-url}
sync-interval=off
[account]
store=file
"""


class Session:
    """A user of the machine and her nyand."""

    def __init__(self, machine, name):
        self.machine, self.name = machine, name
        self.home = machine.root / "home" / name

    def sh(self, line, seconds=30, text=None):
        """A line of a login shell's, with PAM's session around it."""
        return self.machine.run("su", "-l", self.name, "-c", line, check=False, seconds=seconds, text=text)

    def ctl(self, words, **more):
        return self.sh("nyanctl " + words, **more)

    def status(self):
        answer = self.ctl("--json status")
        return json.loads(answer.stdout) if answer.returncode == 0 else {}

    def unit(self, verb, seconds=60):
        return self.sh(f"systemctl --user {verb} nyand.service", seconds=seconds)

    def property(self, name):
        return self.sh(f"systemctl --user show -P {name} nyand.service").stdout.strip()

    def pid(self):
        return int(self.property("MainPID") or 0)

    def write_settings(self, text):
        folder = self.home / ".config/nyand"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "nyand.conf").write_text(text)
        facts = self.home.stat()
        for path in (folder.parent, folder, folder / "nyand.conf"):
            os.chown(path, facts.st_uid, facts.st_gid)

    def until(self, what, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if what():
                return True
            time.sleep(0.1)
        return False

    def journal(self, *more):
        """Its unit's entries, oldest first."""
        lines = self.machine.run(
            "journalctl", "-o", "json", "--no-pager", f"_UID={self.home.stat().st_uid}",
            "_SYSTEMD_USER_UNIT=nyand.service", *more).stdout.splitlines()
        return [json.loads(line) for line in lines]


class Report:
    def __init__(self):
        self.failed = 0
        self.count = 0

    def check(self, sentence, so, detail=""):
        self.count += 1
        if not so:
            self.failed += 1
        print(("ok    " if so else "FAIL  ") + sentence + (f": {detail}" if detail and not so else ""), flush=True)
        return so


def look_alike():
    """Starts the look-alike; its process and its ready line."""
    server = subprocess.Popen(
        ["/usr/bin/python3", str(ROOT / "Tests/vkserver/vkserver.py"), "--port", "0", "--scenario", "test",
         "--die-with-parent"], stdout=subprocess.PIPE, encoding="utf-8")
    return server, json.loads(server.stdout.readline())


def install(machine, programs):
    subprocess.run(["make", "-s", "-C", str(ROOT), "install", f"DESTDIR={machine.root}", "PREFIX=/usr"], check=True)
    if programs:
        for name in ("nyand", "nyanctl"):
            shutil.copy(pathlib.Path(programs, name), machine.root / "usr/bin" / name)
    for user in ("listener", "other"):
        subprocess.run(["chroot", str(machine.root), "useradd", "-m", "-s", "/bin/bash", user], check=True)
    subprocess.run(["chroot", str(machine.root), "useradd", "-r", "-m", "-s", "/bin/bash", "greeter"], check=True)


def choose_bus(machine, bus):
    """Debian's package of dbus-broker makes it the users' bus; the older one is a link away."""
    if bus == "daemon":
        subprocess.run(["chroot", str(machine.root), "systemctl", "--global", "disable", "dbus-broker.service"],
                       check=True, capture_output=True)


def begin(me, report, ready):
    me.machine.run("loginctl", "enable-linger", me.name)
    me.until(lambda: me.sh("systemctl --user is-system-running").stdout.strip() in ("running", "degraded"))
    me.write_settings(SETTINGS.format_map(ready))
    words = me.sh("systemd-analyze --user verify --man=no /usr/lib/systemd/user/nyand.service")
    report.check("the installed unit has nothing wrong", words.returncode == 0 and not words.stdout + words.stderr,
                 words.stdout + words.stderr)


def activation(me, report):
    report.check("nothing runs before it is asked for", me.pid() == 0)
    began = time.monotonic()
    answer = me.ctl("status")
    report.check("nyanctl starts it through the bus", answer.returncode == 0, answer.stderr)
    report.check("that takes less than two seconds", time.monotonic() - began < 2, f"{time.monotonic() - began:.1f} s")
    report.check("through the unit", me.property("ActiveState") == "active" and me.pid() > 0, me.unit("status").stdout)
    text = me.property("StatusText")
    report.check("its status says who it answers", "org.mpris.MediaPlayer2.nyand" in text, text)
    report.check("it is the only one", len(me.sh("pgrep -u $(id -u) -x nyand").stdout.split()) == 1)
    me.unit("stop")
    player = "org.mpris.MediaPlayer2.nyand /org/mpris/MediaPlayer2 org.mpris.MediaPlayer2"
    me.sh(f"busctl --user get-property {player} Identity")
    report.check("a look at the player's name does not start it", me.pid() == 0)
    bare = me.machine.run("setpriv", "--reuid", me.name, "--regid", me.name, "--clear-groups", "nyanctl", "status",
                          check=False)
    report.check("a shell without XDG_RUNTIME_DIR (cron) finds the user's bus", bare.returncode == 0, bare.stderr)


def enabling(me, report):
    me.unit("stop")
    report.check("it enables", me.unit("enable --now").returncode == 0 and me.property("ActiveState") == "active")
    me.machine.run("systemctl", "restart", f"user@{me.home.stat().st_uid}.service")
    report.check("a new session starts it by itself", me.until(lambda: me.property("ActiveState") == "active"))


def confinement(me, report):
    status = me.machine.run("cat", f"/proc/{me.pid()}/status").stdout
    report.check("the system calls are filtered", "Seccomp:\t2" in status and "NoNewPrivs:\t1" in status, status)
    limits = me.machine.run("cat", f"/proc/{me.pid()}/limits").stdout
    report.check("no core dump may be written", re.search(r"core file size +0 +0 ", limits) is not None, limits)
    peek = me.sh(f"head -c1 /proc/{me.pid()}/environ")
    report.check("nobody of the same user reads its memory", peek.returncode != 0)


def strictness(me, report):
    """Under a filter that kills instead of refusing: who lives wanted nothing that is forbidden."""
    folder = me.home / ".config/systemd/user/nyand.service.d"
    folder.mkdir(parents=True)
    (folder / "strict.conf").write_text("[Service]\nSystemCallErrorNumber=kill\n")
    me.sh("systemctl --user daemon-reload")
    me.unit("restart")
    pid = me.pid()
    asked = me.ctl(f"play {TRACK} {LATER}")
    report.check("it needs no system call that the unit forbids",
                 me.until(lambda: me.status().get("state") == "playing" and me.status().get("position", 0) > 0.5)
                 and me.pid() == pid != 0, f"{pid} {me.pid()} {asked} {me.status()} {me.unit('status').stdout}")
    shutil.rmtree(folder)
    me.sh("systemctl --user daemon-reload")
    me.unit("restart")


def playing(me, report, ready):
    answer = me.ctl("login --token", text=ready["token"] + "\n")
    report.check("it signs in", answer.returncode == 0, answer.stderr)
    me.ctl("sync")
    me.ctl(f"play {TRACK} {LATER}")
    report.check("it plays", me.until(lambda: me.status().get("state") == "playing"), me.status())
    report.check("PulseAudio hears it", me.until(lambda: "Corked: no" in me.sh("pactl list sink-inputs").stdout),
                 me.sh("pactl list sink-inputs").stdout)
    me.sh("timeout 2 nyanctl status --follow")
    me.ctl(f"download {LATER} --wait")
    files = list((me.home / "Music/Nyan Tunes").glob("*"))
    report.check("a download arrives in My Music", len(files) == 1, files)
    before = me.status().get("position", 0)
    report.check("the clock runs", me.until(lambda: me.status().get("position", 0) > before))


def reloading(me, report, ready):
    pid = me.pid()
    me.write_settings(SETTINGS.format_map(ready) + "[downloads]\nparallel=many\n")
    outcome = me.unit("reload")
    report.check("a reload of broken settings fails", outcome.returncode != 0)
    report.check("and the player goes on", me.status().get("state") == "playing" and me.pid() == pid)
    me.write_settings(SETTINGS.format_map(ready) + "[downloads]\nparallel=2\n")
    report.check("one of good settings succeeds", me.unit("reload").returncode == 0 and me.pid() == pid)
    me.machine.run("kill", "-HUP", str(pid))
    report.check("SIGHUP reloads too", me.until(
        lambda: sum("settings read again" in entry["MESSAGE"] for entry in me.journal()) >= 2) and me.pid() == pid)
    report.check("the unit is active afterwards", me.until(lambda: me.property("ActiveState") == "active"))


def crashing(me, report):
    for name in ("SEGV", "KILL"):
        pid = me.pid()
        me.machine.run("kill", f"-{name}", str(pid))
        report.check(f"after SIG{name} it is there again", me.until(lambda: me.pid() not in (0, pid)) and me.until(
            lambda: me.property("ActiveState") == "active"), me.unit("status").stdout)
        report.check("with its queue", me.status().get("queue", {}).get("length") == 2, me.status())
    found = me.machine.run("find", "/home", "/tmp", "/var/lib/systemd/coredump", "-name", "core*", "-type", "f",
                           check=False)
    report.check("no core dump is left", found.stdout.strip() == "", found.stdout)


def dying_bus(me, report, bus):
    pid = me.pid()
    me.ctl("play")
    me.until(lambda: me.status().get("state") == "playing")
    me.sh(f"pkill -KILL -u $(id -u) -x {'dbus-broker' if bus == 'broker' else 'dbus-daemon'}")
    # `systemctl --user` itself takes seconds to answer while there is no bus.
    report.check("when the bus dies it is started again", me.until(
        lambda: me.pid() not in (0, pid) and me.property("ActiveState") == "active", 60), me.unit("status").stdout)
    report.check("and answers on the new one", me.until(lambda: me.status().get("queue", {}).get("length") == 2))
    report.check("it says why", any("session bus is gone" in entry["MESSAGE"] for entry in me.journal()))


def giving_up(me, report, ready):
    restarts = lambda: me.property("NRestarts")  # noqa: E731
    me.unit("stop")
    me.write_settings("[downloads]\nparallel=many\n")
    me.unit("start")
    report.check("bad settings: it ends with 2 and is not tried again",
                 me.until(lambda: me.property("ActiveState") == "failed") and me.property("ExecMainStatus") == "2"
                 and restarts() == "0", me.unit("status").stdout)
    last = [entry for entry in me.journal() if "parallel" in entry["MESSAGE"]]
    report.check("file, line and key are in the journal, as an error",
                 bool(last) and last[-1]["PRIORITY"] == "3" and "line 2" in last[-1]["MESSAGE"], last)
    answer = me.ctl("status")
    report.check("nyanctl then says that it does not run", answer.returncode == 3, f"{answer.returncode} {answer.stderr}")
    answer = me.ctl("doctor", seconds=60)
    report.check("and its doctor why", answer.returncode == 3 and "its unit failed (exit status 2)" in answer.stdout,
                 f"{answer.returncode} {answer.stdout} {answer.stderr}")
    me.write_settings(SETTINGS.format_map(ready))
    me.sh("systemctl --user reset-failed; nohup nyand >/dev/null 2>&1 & sleep 1")
    me.unit("start")
    report.check("where one runs already: 4, not tried again",
                 me.until(lambda: me.property("ActiveState") == "failed") and me.property("ExecMainStatus") == "4"
                 and restarts() == "0", me.unit("status").stdout)
    me.sh("pkill -TERM -x nyand; sleep 1; systemctl --user reset-failed")
    state = me.home / ".local/state/nyand"
    state.rename(state.with_name("aside"))
    state.write_text("")
    me.unit("start")
    report.check("what fails at every start is given up after five", me.until(
        lambda: me.property("ActiveState") == "failed" and me.property("Result") != "success", 40)
        and "repeated too quickly" in me.unit("status").stdout and 3 < int(restarts()) < 6,
        f"{restarts()} {me.unit('status').stdout}")
    state.unlink()
    state.with_name("aside").rename(state)
    me.sh("systemctl --user reset-failed")
    report.check("and starts once that is mended", me.unit("start").returncode == 0, me.unit("status").stdout)


def others(me, report, ready):
    other, greeter = Session(me.machine, "other"), Session(me.machine, "greeter")
    for person in (other, greeter):
        me.machine.run("loginctl", "enable-linger", person.name)
        person.until(lambda: person.sh("systemctl --user is-system-running").stdout.strip() in ("running", "degraded"))
    other.write_settings(SETTINGS.format_map(ready))
    report.check("a second user has her own, beside the first", other.unit("start").returncode == 0
                 and me.property("ActiveState") == "active" and other.pid() != me.pid() != 0)
    report.check("each sees her own queue", other.status().get("queue", {}).get("length") == 0
                 and me.status().get("queue", {}).get("length") == 2, f"{other.status()} {me.status()}")
    greeter.unit("start")
    report.check("a system user's manager does not start it", greeter.property("ActiveState") == "inactive"
                 and greeter.property("ConditionResult") == "no", greeter.unit("status").stdout)


def ending(me, report):
    me.ctl("play")
    me.until(lambda: me.status().get("state") == "playing")
    began = time.monotonic()
    me.unit("restart")
    report.check("a restart takes less than three seconds and keeps the queue",
                 time.monotonic() - began < 3 and me.status().get("queue", {}).get("length") == 2)
    me.ctl("play")
    me.until(lambda: me.status().get("state") == "playing")
    began = time.monotonic()
    me.unit("stop")
    report.check("so does a stop, and it counts as success", time.monotonic() - began < 3
                 and me.property("Result") == "success" and me.property("ExecMainStatus") == "0",
                 me.unit("status").stdout)
    me.unit("start")
    me.ctl("play")
    began = time.monotonic()
    me.machine.run("systemctl", "stop", f"user@{me.home.stat().st_uid}.service")
    report.check("the end of the session waits for nobody", time.monotonic() - began < 4)
    report.check("and ends it in order", not any(
        word in entry["MESSAGE"] for entry in me.journal("--since=-10s") for word in ("bus is gone", "Failed with")))


def journal(me, report, ready):
    entries = [entry for entry in me.journal() if entry.get("_COMM") == "nyand"]
    words = [entry["MESSAGE"] if isinstance(entry["MESSAGE"], str) else bytes(entry["MESSAGE"]).decode()
             for entry in entries]
    report.check("its lines are in the journal without prefixes", bool(words) and not any(
        re.match(r"<\d>|nyand:", line) for line in words), words[:5])
    found = {entry["PRIORITY"] for entry in entries}
    report.check("with their priorities", {"3", "5"} <= found <= {"3", "4", "5", "6", "7"}, found)
    lines = [entry["MESSAGE"] for entry in me.machine.run(
        "journalctl", "-o", "json", "--no-pager", "-t", "nyand", "-t", "nyanctl").stdout.splitlines() for entry in [json.loads(entry)]
        if entry.get("_TRANSPORT") == "syslog"]
    report.check("nobody speaks in its name to the system's log", not lines, lines[:3])
    secrets = [line for line in words if ready["token"] in line or re.search(r"[0-9a-f]{40}-[0-9a-f]{8}", line)]
    report.check("and without a secret", not secrets, len(secrets))
    return words


def run(bus, programs, report, ready, shows):
    machine = Machine(ROOT / ".build/boot/root")
    try:
        machine.prepare()
        install(machine, programs)
        choose_bus(machine, bus)
        state = machine.start()
        me = Session(machine, "listener")
        begin(me, report, ready)
        running = me.sh("systemctl --user show -P Id dbus.service").stdout.strip()
        print(f"-- systemd {machine.run('systemctl', '--version').stdout.split()[1]} is {state}; the bus is {running}")
        activation(me, report)
        enabling(me, report)
        playing(me, report, ready)
        confinement(me, report)
        strictness(me, report)
        me.ctl(f"play {TRACK} {LATER}")
        me.until(lambda: me.status().get("state") == "playing")
        reloading(me, report, ready)
        # The faults below are made faster than the unit's start limit allows.
        me.sh("systemctl --user reset-failed nyand.service")
        crashing(me, report)
        me.sh("systemctl --user reset-failed nyand.service")
        dying_bus(me, report, bus)
        giving_up(me, report, ready)
        others(me, report, ready)
        ending(me, report)
        words = journal(me, report, ready)
        if shows:
            print("\n".join(words))
    finally:
        machine.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--bus", choices=["broker", "daemon"], action="append")
    parser.add_argument("--programs")
    parser.add_argument("--journal", action="store_true", help="print what nyand said")
    options = parser.parse_args()
    if os.getuid() != 0:
        sys.exit("boot.py: only root can make namespaces and a Debian of its own: sudo make system")
    if not shutil.which("debootstrap") and not (ROOT / ".build/boot/root").exists():
        sys.exit("boot.py: apt install debootstrap")
    make_root(ROOT / ".build/boot/root")
    report = Report()
    server, ready = look_alike()
    try:
        for bus in options.bus or ["broker", "daemon"]:
            run(bus, options.programs, report, ready, options.journal)
    finally:
        server.terminate()
    print(f"{report.count - report.failed} of {report.count} promises kept")
    sys.exit(1 if report.failed else 0)


if __name__ == "__main__":
    main()
