"""What the report says around the figures: a title and a way of taking for each group, what is a bound and no peer, and
why somebody else is first where somebody is. The figures themselves come from bench/run."""

#: No programs people use: what the bus, GStreamer, VK or arithmetic cost anyone. Being above one is no defeat; the goal says
#: how far is too far.
BOUNDS = {
    "", "libdbus alone", "playbin3 + libdbus", "the bus's GetId", "Get of the floor", "true", "its calls at 3 a second",
    "the files", "the file's size", "fetched once", "playbin3", "playbin3, address known", "playbin3, first half alone",
    "its frames, untrimmed",
}

GROUPS = {
    "start": ("Start", "From just before `fork` until the bus says the name is owned, and until `Get PlaybackStatus` is "
              "answered; page cache and plugin registry warm."),
    "peers": ("Whole players", "Every player goes alone through the same: started, idle, the same two MP3s, playing, commands, "
              "paused. Memory (PSS), wakeups (voluntary context switches) and processor time are those of all processes a "
              "user needs for the job; each plays to an output that keeps the pace of a clock. cmus has none of its own: it "
              "plays to a sound server without a speaker, which is not counted."),
    "first": ("Play → first sample", "The command over MPRIS is sent → the first bytes of plain samples are in a file. Streams "
              "come from the same local host, none is met twice; nyand knows a track and may have to ask for its address, "
              "the others are told the signed address. mpv's file is opened by the command, as everybody's is."),
    "burst": ("Commands faster than answers", "200 commands a second over one connection for ten seconds without waiting: 30 % "
              "Next, 25 % Previous, 25 % Seek, 20 % PlayPause, in the same order for all. Then pause, play, whether time goes "
              "on, pause: each has three seconds."),
    "memory": ("Memory and rest", "`smaps_rollup` of each while it is the only one of its kind; wakeups of nyand and of the "
               "least player with GStreamer at once."),
    "calls": ("D-Bus round trips", "One connection, one call after the other, by turns."),
    "clients": ("Clients", "Whole processes, spawn to exit, by turns in every order. Instructions (callgrind) hold on a busy "
                "machine."),
    "sound": ("Play → sound, beside playbin3", "As above, against the least program that plays with GStreamer and knows the "
              "address."),
    "joins": ("Samples at joins", "Two halves of one endless tone in a row: its phase on either side tells how many samples are "
              "too many or missing."),
    "bytes": ("Bytes fetched", "A track is played, downloaded and played again: what the server sent."),
    "paused": ("Paused, after all this", "A 40 s MP3 is paused; thirteen seconds later."),
    "playing": ("Playing", "Ten seconds of a finished download, one player at a time."),
    "downloads": ("Downloads", "50 × 8 MB, five at once, from one local nginx at full speed and from one that paces every "
                  "connection; then everything is killed (-9) in the middle and begun again. Every file is compared with the "
                  "server's by SHA-256. nyand's part is the larger one: it also asks for addresses, walks every frame, writes "
                  "tags and brings files to the disk."),
    "hls": ("HLS downloads", "Ten minutes in 61 segments, one in three encrypted, at full speed and with 40 ms before every "
            "connection and every answer; the frames of all are compared."),
    "waiting": ("Downloads: a growing queue", "Small files (10 s of 320 kbit/s) from nginx, five at once. `of it for this`: what "
                "came on top of nyand's rest, against all of the peer."),
    "sync": ("Sync", "10,000 tracks from nothing, then again with nothing changed; VK allows three calls a second."),
    "listing": ("A growing library", "1,000, 10,000 and 100,000 tracks. Whole client processes, by turns; mpd has a database with "
                "the same artists and titles. Start: until the bus is answered."),
}

#: (part of the figure, part of the peer, why it is or may be before us). The first that fits is said.
REASONS = [
    ("exec →", "cmus", "cmus loads ncurses and one decoder, and has no TLS, database or media framework to bring up; most of "
     "nyand's start is the loader's for the libraries of a whole player (GStreamer, GLib, SQLite, D-Bus)."),
    ("memory it grew", "", "GStreamer's pools and the heap of the busiest moment."),
    ("memory", "cmus", "cmus is less than half a megabyte of C, without Swift's runtime, GStreamer, TLS, a database or a network "
     "service. The largest part of nyand is its own text with the Swift runtime in it, counted in full while one nyand runs."),
    ("wakeups", "cmus", "cmus decodes ahead in one thread and writes large blocks; in nyand the decoder's thread and the output's "
     "wake for each 100 ms of sound."),
    ("playing a local MP3, CPU", "mpd", "nyand and the least player write their samples to a file here, mpd throws its away; with "
     "outputs that keep nothing: Whole players."),
    ("playing, CPU", "mpd", "Four fifths of what nyand computes for a second of an MP3 are libmpg123's, which mpd uses as well; the "
     "rest are GStreamer's elements, which see each frame until it is decoded, and the turns of two threads, ten a second each."),
    ("CPU", "cmus", "cmus has one decoder (libmad, fixed point) and no pipeline of elements, which sees each frame until it is "
     "decoded; its sound server's share is not counted."),
    ("PlayPause →", "", "nyand says so when GStreamer has done it: a state change of a dozen elements, on a thread of its own as a "
     "frozen sound server may never return from it. That is two thread switches, which cost most on a busy machine; cmus sets a "
     "flag and says so."),
    ("connections", "", "Each is kept alive and used again; a few are opened ahead so that segments come side by side."),
    ("wakeups", "", "The output's clock and the decoder each wake for their buffers; a few a second are noise of the scheduler."),
    ("Get PlaybackStatus", "", "A call is two hops of the bus and one wake of the player for everybody; the rest is who is woken "
     "on which core. Differences of some µs change sides between runs."),
    ("client asks", "mpd", "mpc says one line to mpd's own socket and links nothing but libmpdclient; nyanctl goes over the bus: "
     "about half of its instructions are the loader's for libdbus."),
    ("client asks", "cmus", "cmus-remote writes one line to cmus's own socket and links nothing but libc."),
    ("nyanctl status", "mpc", "mpc says one line to mpd's own socket and links nothing but libmpdclient; nyanctl goes over "
     "the bus: about half of its instructions are the loader's for libdbus."),
    ("nyanctl status", "dbus-send", "dbus-send asks for one property and prints it as it came; nyanctl asks for the whole status "
     "and words it, and has Swift's runtime to start."),
    ("Next →", "", "nyand answers when the old pipeline has come down, so that no sound of the old track follows the answer; that "
     "takes a few thread switches, and each of them costs on a busy machine."),
    ("first sample, a local", "mpv", "mpv writes to its file without the pace of a clock and without a sink that prerolls; "
     "GStreamer starts its output after the first decoded buffer has gone through the whole pipeline."),
    ("first sample", "mpd", "mpd starts one decoder on its file or stream; GStreamer builds a pipeline of a dozen elements and prerolls "
     "it."),
    ("first sample", "mpv", "mpv writes to its file without the pace of a clock and hands on what it has decoded at once; "
     "GStreamer starts its output after a buffer has gone through the whole pipeline."),
    ("of it for this", "", "What a queue of tracks and their files' checks take in nyand, against nothing but copying."),
    ("peak resident", "", "nyand's includes the libraries of a whole player, most of all GStreamer's, which were there before; "
     "see `of it for this`."),
    ("client", "mpc", "nyanctl's answer comes over the bus, mpc's over mpd's own socket; nyanctl starts libdbus and Swift's "
     "runtime, mpc neither."),
    ("1,000 queued: time for a file", "", "VK takes three calls a second, and each names a hundred tracks at most: 3.3 ms for a "
     "file, however small it is. The others were told all addresses before. Files of usual sizes do not come so fast that this is felt."),
    *((part, whom, "nyand asks VK for addresses, checks every frame, writes tag and sound into a second file and brings it to "
       "the disk (fsync of file and folder) before it counts; the other only copies and leaves the disk to the kernel.")
      for part in ("processor time", "wall", "time for a file") for whom in ("aria2c", "curl", "ffmpeg", "yt-dlp")),
    ("sent twice", "", "What was on its way into the files when the kill came is fetched again: at most the buffers of each "
     "transfer, a matter of the moment."),
    ("resident after lists", "mpd", "The libraries of nyand (GStreamer, curl, Swift) are most of it while the library is small: "
     "what each track adds is the slope of the curve."),
    ("start with", "", "The library is read when it is first asked for, so the start does not grow with it."),
    ("list of", "", "nyanctl prints in a process of its own, over the bus; mpc over mpd's socket."),
    ("filter of", "", "nyanctl prints in a process of its own, over the bus; mpc over mpd's socket."),
    ("answer,", "", "nyand answers Next and Previous when the old pipeline has come down, so that no sound of the old track "
     "follows the answer."),
    ("refused", "", "A refused command is an honest answer, not a lost one."),
]

#: The table at the top: (group, figure), each beside whoever is best at it.
GLANCE = [
    ("peers", "exec → answers on the bus"), ("peers", "idle memory, PSS"), ("peers", "playing memory, PSS"),
    ("peers", "idle wakeups"), ("peers", "playing wakeups"), ("peers", "playing, CPU"),
    ("peers", "Get PlaybackStatus, playing"), ("clients", "nyanctl status, whole process"),
    ("peers", "PlayPause → PropertiesChanged"), ("peers", "Next → PropertiesChanged"),
    ("first", "play → first sample, a local file"), ("first", "play → first sample, an MP3 over HTTP"),
    ("first", "play → first sample, an HLS stream"), ("burst", "answer, p99"),
    ("listing", "list of 10,000"), ("listing", "list of 100,000"), ("listing", "filter of 100,000"),
    ("downloads", "50 × 8 MB at full speed, wall"), ("downloads", "sent twice after kill -9, 8 × 8 MB"),
    ("downloads", "wrong files, changed meanwhile"), ("hls", "HLS, 40 ms away, wall"),
]

#: The bars: a figure of `peers`, and what it is called there.
BARS = {
    "exec → answers on the bus": "Start", "idle memory, PSS": "Idle memory", "playing memory, PSS": "Memory, playing",
    "playing wakeups": "Wakeups, playing", "playing, CPU": "Processor time, playing",
    "PlayPause → PropertiesChanged": "PlayPause → signal", "Next → PropertiesChanged": "Next → signal",
}


def reason(figure, peer):
    """Why a peer may be before us."""
    for part, whom, why in REASONS:
        if part in figure and whom in peer:
            return why
    return "No reason is known yet."
