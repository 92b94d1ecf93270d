"""The look-alike's recordings: made on first use, kept in a cache folder, the same on every run."""

import concurrent.futures
import ctypes
import functools
import hashlib
import io
import os
import pathlib
import signal
import subprocess
import threading
import wave
from dataclasses import dataclass

import adts
import covers
import melody
import mp3
import mpegts

_SOURCES = [pathlib.Path(file).read_bytes() for file in (melody.__file__, covers.__file__, __file__)]
EDITION = hashlib.sha256(b"".join(_SOURCES)).hexdigest()[:8]  # a changed program leaves old caches aside


@dataclass(frozen=True)
class Recipe:
    """How one recording is made. `seed` None means a plain tone instead of a piece."""

    name: str
    seconds: float
    seed: int | None = None
    hertz: float = 440.0
    start: int = 0  # first sample of a tone
    options: tuple = ("-b", "160")  # how `lame` is told the bit rate
    rate: int = 44100
    channels: int = 2
    tags: bool = False  # with ID3v2 in front and ID3v1 behind
    header: bool = True  # with a Xing or Info frame that names LAME and tells the encoder's delay and padding
    segments: tuple = (2.0, 4.0, 10.0)  # seconds, when served as HLS
    codec: str = "mp3"  # or `aac`: ADTS by ffmpeg, `options` are its own

    def file(self, folder):
        """Where the finished file lies; the name changes with the recipe."""
        mark = hashlib.sha256(f"{EDITION} {self!r}".encode()).hexdigest()[:10]
        return folder / f"{self.name}-{mark}.{self.codec}"


def _die_with_server():
    """Keeps no worker alive when the server is killed while composing (PR_SET_PDEATHSIG, SIGKILL)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _write(path, make):
    """Makes a file beside its place and moves it in whole, so that two servers never read each other's halves."""
    rough = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        make(rough)
        os.replace(rough, path)
    finally:
        rough.unlink(missing_ok=True)


def _wav(pcm, rate):
    """Signed 16-bit stereo as a WAV file; lame would grumble at bare samples."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setparams((2, 2, rate, 0, "NONE", ""))
        sound.writeframes(pcm)
    return file.getvalue()


def _record(recipe, folder):
    """Composes and encodes one recording."""
    if recipe.seed is None:
        pcm, rate = melody.tone(recipe.hertz, recipe.start, int(recipe.seconds * melody.TONE_RATE)), melody.TONE_RATE
    else:
        pcm, rate = melody.Piece(recipe.seed, recipe.seconds).pcm(), melody.RATE
    if recipe.codec == "aac":
        command = ["ffmpeg", "-v", "error", "-i", "-", "-ar", str(recipe.rate), "-c:a", "aac", *recipe.options]
        command += ["-fflags", "+bitexact", "-y", "-f", "adts"]
        sound = _wav(pcm, rate)
        _write(recipe.file(folder), lambda path: subprocess.run([*command, str(path)], input=sound, check=True))
        return
    command = ["lame", "--quiet", "-q", "7", "--noreplaygain", "--resample", str(recipe.rate / 1000), *recipe.options]
    if recipe.channels == 1:
        command += ["-a", "-m", "m"]
    if not recipe.header:
        command += ["-t"]
    if recipe.tags:
        command += ["--add-id3v2", "--tt", "Old tag", "--ta", "Old"]
    # A file and not a pipe at the end: the header frame is written last, in front.
    sound = _wav(pcm, rate)
    _write(recipe.file(folder), lambda path: subprocess.run([*command, "-", str(path)], input=sound, check=True))


def _draw(name, folder):
    """Draws one cover in all sizes."""
    rough = {size: folder / f".{name}-{size}.{os.getpid()}" for size in covers.SIZES}
    covers.draw(name, rough)
    for size, path in rough.items():
        os.replace(path, folder / f"cover-{EDITION}-{name}-{size}.jpg")


class Recording:
    """One finished recording in memory: the file as served, its stream, and its HLS segments on demand."""

    def __init__(self, recipe, body):
        self.recipe, self.body = recipe, body

    @functools.cached_property
    def stream(self):
        """The tag-free stream of the file."""
        return self._walker.walk(self.body)

    @property
    def _walker(self):
        """The module that knows its frames."""
        return adts if self.recipe.codec == "aac" else mp3

    @functools.cached_property
    def segments(self):
        """Plain transport stream segments as (seconds, bytes)."""
        kind = adts.STREAM_TYPE if self.recipe.codec == "aac" else mpegts.MP3
        return tuple(mpegts.cut(self.stream, self.recipe.segments, kind))

    def expected(self, hls):
        """What a finished download must hold (see mp3.expected)."""
        return self._walker.expected(b"".join(self.stream.music) if hls else self.body)


class Shelf:
    """All recordings and covers of a scenario. Makes what is missing with two workers."""

    def __init__(self, folder, recipes, pictures):
        self.folder = pathlib.Path(folder)
        self.recipes = {recipe.name: recipe for recipe in recipes}
        self.pictures = pictures
        self._recordings = {}

    def fill(self):
        """Makes every missing file. Blocking; seconds on an empty cache, milliseconds on a full one."""
        self.folder.mkdir(parents=True, exist_ok=True)
        wanted = [recipe for recipe in self.recipes.values() if not recipe.file(self.folder).exists()]
        missing = [name for name in self.pictures if not all(self.cover(name, s).exists() for s in covers.SIZES)]
        if not wanted and not missing:
            return
        with concurrent.futures.ProcessPoolExecutor(max_workers=2, initializer=_die_with_server) as pool:
            jobs = [pool.submit(_record, recipe, self.folder) for recipe in wanted]
            jobs += [pool.submit(_draw, name, self.folder) for name in missing]
            for job in jobs:
                job.result()

    def cover(self, name, size):
        """The file of one cover."""
        return self.folder / f"cover-{EDITION}-{name}-{size}.jpg"

    def recording(self, name):
        """The recording of this name, read on first use."""
        if name not in self._recordings:
            recipe = self.recipes[name]
            self._recordings[name] = Recording(recipe, recipe.file(self.folder).read_bytes())
        return self._recordings[name]
