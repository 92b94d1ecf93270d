/// Every wish a person or a program can have of the player.
public enum PlaybackCommand: Sendable, Equatable {
    /// Resume, or start the current entry (or the first); nothing while playing (mpris.md §4.2).
    case play
    case pause
    case toggle
    case stop
    case next
    case previous
    /// Relative; before zero is zero, beyond the end is `next` (mpris.md §4.2 Seek).
    case seekBy(Duration)
    /// Absolute within 0…length; out of range is ignored (mpris.md §4.2 SetPosition). nil = the current entry.
    case seekTo(Duration, EntryID?)
    /// 0…1; clamped.
    case setVolume(Double)
    case setShuffle(Bool)
    case setRepeat(RepeatMode)
    /// Replace the queue and start at an index.
    case playTracks([Track], startAt: Int)
    /// Put tracks right after the current entry and start the first of them; the rest of the queue stays.
    case playNow([Track])
    /// Start the entry with this id.
    case go(EntryID)
    /// Make the entry with this id the current one in the status that is, as `next` does.
    case skip(to: EntryID)
    /// Put tracks right behind an entry (nil: in front of what is nearby), and then skip to the first of them or not.
    case insert([Track], after: EntryID?, becomingCurrent: Bool)
    /// Put tracks at the end, or right after the current entry.
    case add([Track], next: Bool)
    /// Remove the entries with these ids; removing the current one goes on to the next in the same status.
    case remove([EntryID])
    /// Move an entry so that it ends up at `index`.
    case move(EntryID, to: Int)
    case clear
    /// Pause by itself later, or not at all (nil); nothing while stopped.
    case setSleepTimer(SleepWish?)
}

/// Everything that can happen to the player.
public enum PlaybackInput: Sendable, Equatable {
    case command(PlaybackCommand)
    case engine(EngineEvent)
    /// The bytes of a prepared load can be read from now on.
    case prepared(LoadNumber)
    /// The track of this load cannot be had, for this reason.
    case refused(LoadNumber, Failure)
    /// Every byte of this load's track is on disk: time to prepare the next.
    case bytesComplete(LoadNumber)
    /// Less than 30 s are left of this load: time to prepare the next whatever the bytes.
    case nearEnd(LoadNumber)
    /// What the engine says its position is, asked now and then to keep the clock true.
    case positionReport(LoadNumber, Duration)
    /// A track was described anew (title, cover, availability); entries with its id take it over.
    case trackChanged(Track)
    /// Nothing but time: what is due by now happens (`PlaybackMachine.nextMoment`, and now and then while it plays).
    case timePassed
    /// The bytes of this load are another file's from here on: what the engine has of the old one cannot go on.
    case soundChanged(LoadNumber)
    /// The process was stopped from this moment on until now, while the clocks went on: nothing was heard meanwhile.
    case stoodStill(since: Duration)
    /// The machine is about to sleep.
    case willSleep
    /// The machine slept and is awake again, whether `willSleep` came before or not.
    case didWake
}

/// What the player asks of the world, run strictly in order.
public enum PlaybackEffect: Sendable, Equatable {
    /// Why bytes are wanted: it decides the order of transfers.
    public enum Purpose: Sendable, Equatable { case current, next }

    /// Find the sound of this entry; answered by `prepared` or `refused`.
    case prepare(LoadNumber, Entry, Purpose)
    /// Make this prepared load the one that sounds, from a position, playing or paused.
    case load(LoadNumber, at: Duration, playing: Bool)
    /// Join this prepared load to the end of the one that sounds.
    case stage(LoadNumber)
    /// Take the staged one back; the engine reloads the current one if it was too late.
    case unstage
    case setPlaying(Bool)
    /// Answered by the engine's `seeked`.
    case seek(Duration)
    case stopEngine
    /// Look for an output until there is one; answered by the engine's `outputChanged`.
    case awaitOutput
    case setVolume(Double)
    /// Bring the sound down to silence within so much time; the volume stays as it is set.
    case fadeOut(over: Duration)
    /// The sound is as loud as set again.
    case endFade
    /// Nobody needs the bytes of this load any more.
    case release(LoadNumber)
    /// The position jumped: tell it once (MPRIS `Seeked`).
    case announceJump(Duration)
    /// A track was really heard: list it, or list that it was heard for longer.
    case heard(Hearing)
    /// Durable state changed: queue, position, modes or volume.
    case save
}
