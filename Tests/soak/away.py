"""What a walk takes away from nyand and gives back: the network (VK's and the media's, each refused, hanging or reset), the
disk's room, the sound server, the bus, the keyring; and nyand's own life."""

import os
import signal
import time

from house import Broken

MODES = ["refuse", "hang", "reset"]


class Away:
    """Mixed into a walk, which has `house`, `random`, `ends` (what is away, and until which step) and `taken`."""

    # The network.

    def do_net_vk(self, number):
        self.cut("net_vk", number, [0])

    def do_net_media(self, number):
        self.cut("net_media", number, [1, 2])

    def cut(self, name, number, ports):
        mode = self.random.choice(MODES)
        self.taken[-1] += " " + mode
        for port in ports:
            self.house.line_out.turn(port, mode)
        self.ends[name] = number + self.random.randint(1, 10)

    def end_net_vk(self):
        self.house.line_out.turn(0, "open")

    def end_net_media(self):
        for port in (1, 2):
            self.house.line_out.turn(port, "open")

    # The disk.

    def do_disk(self, number):
        """Every byte of it is taken."""
        if "disk" in self.ends:
            return
        facts = os.statvfs(self.house.room)
        filler = os.open(self.house.room + "/filler", os.O_CREAT | os.O_WRONLY, 0o600)
        try:
            os.posix_fallocate(filler, 0, max(1, facts.f_bavail * facts.f_frsize - (1 << 20)))
            os.lseek(filler, 0, os.SEEK_END)
            while os.write(filler, b"\1" * 4096):
                pass
        except OSError:
            pass  # it is full
        finally:
            os.close(filler)
        self.ends["disk"] = number + self.random.randint(2, 10)

    def end_disk(self):
        os.unlink(self.house.room + "/filler")

    # The sound server.

    def do_sound_stop(self, number):
        if "sound_kill" not in self.ends:
            self.house.pulse.send_signal(signal.SIGSTOP)
            self.ends.setdefault("sound_stop", number + self.random.randint(1, 4))

    def end_sound_stop(self):
        self.house.pulse.send_signal(signal.SIGCONT)

    def do_sound_kill(self, number):
        if "sound_stop" not in self.ends and "sound_kill" not in self.ends:
            self.house.pulse.kill()
            self.house.pulse.wait()
            self.ends["sound_kill"] = number + self.random.randint(1, 5)

    def end_sound_kill(self):
        self.house.start_pulse()

    # The keyring: locked, silent, gone.

    def do_keyring(self, number):
        if "keyring" in self.ends:
            return
        self.keyring_is = self.random.choice(["locked", "silent", "gone"])
        self.taken[-1] += " " + self.keyring_is
        keyring = self.house.keyring
        if self.keyring_is == "gone":
            keyring.kill()
            keyring.wait()
        else:
            keyring.send_signal(signal.SIGUSR2 if self.keyring_is == "locked" else signal.SIGSTOP)
        self.ends["keyring"] = number + self.random.randint(2, 10)

    def end_keyring(self):
        if self.house.keyring.poll() is not None:
            return self.house.start_keyring()
        self.house.keyring.send_signal(signal.SIGCONT)
        self.house.keyring.send_signal(signal.SIGUSR1)

    # The bus: it hangs for a moment, which nyand outlives; where it dies nyand ends, and the unit begins anew.

    def do_bus_stop(self, _):
        self.house.bus.send_signal(signal.SIGSTOP)
        time.sleep(self.random.choice([0.05, 0.4, 1.5, 3]))
        self.house.bus.send_signal(signal.SIGCONT)
        # What the bus owes others comes first.
        self.house.answer_time()

    def do_bus_kill(self, _):
        before = self.remembered()
        self.house.bus.kill()
        self.house.bus.wait()
        self.left()
        status = self.house.daemon.wait(20)
        if status != 1:
            raise Broken(f"the bus died, and nyand ended with {status}")
        if self.house.keyring.poll() is None:
            # A silent one does not see it.
            self.house.keyring.send_signal(signal.SIGCONT)
            self.house.keyring.wait(20)
        time.sleep(self.random.choice([0, 0.5]))
        self.house.start_bus()
        self.house.start_keyring()
        self.ends.pop("keyring", None)
        self.come_again(before)

    # nyand itself.

    def do_kill(self, _):
        before = self.remembered()
        self.house.daemon.kill()
        self.left()
        self.house.daemon.wait()
        self.come_again(before)

    def remembered(self):
        return self.house.status()

    def left(self):
        """What was asked and not answered before is nobody's fault."""
        self.deaths += 1
        for errand in self.errands:
            errand.is_excused = True

    def come_again(self, before):
        self.house.start()
        after = self.house.status()
        if after["state"] not in ("paused", "stopped"):
            raise Broken(f"after its death it is {after['state']} by itself")
        known = "disk" not in self.ends and len(self.past) == 1
        if known and before["state"] == "paused" and abs(before["position"] - after["position"]) > 0.5:
            raise Broken(f"after its death the position is {after['position']}, it was {before['position']}")
        found = self.found(after)
        if found not in self.past:
            raise Broken(f"after its death it has {found}, answered for was {self.past}")
        self.adopt(found)
