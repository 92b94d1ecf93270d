import NyanCore

/// The rest of the daemon as the player sees it: runs effects, and complains about every one that makes no sense.
struct World {
    /// Loads that were prepared and not released, with their entries.
    private(set) var alive: [LoadNumber: EntryID] = [:]
    /// Loads whose bytes can be read.
    private(set) var ready = Set<LoadNumber>()
    /// What the engine holds, which may be a released load until the next one comes.
    private(set) var loaded: LoadNumber?
    private(set) var staged: LoadNumber?
    private(set) var isSeeking = false
    private(set) var prepared = 0
    private(set) var released = 0
    private(set) var complaints: [String] = []
    private var lastLoad = LoadNumber(0)
    private var volumeIsKnown = false
    private(set) var isFading = false

    private mutating func check(_ isTrue: Bool, _ complaint: String) {
        if !isTrue { complaints.append(complaint) }
    }

    mutating func run(_ effects: [PlaybackEffect], length: Duration?) {
        for (index, effect) in effects.enumerated() {
            if case .save = effect { check(index == effects.count - 1, "save is not last") }
            run(effect, length: length)
        }
        check(alive.count <= 2, "\(alive.count) loads at once")
    }

    private mutating func run(_ effect: PlaybackEffect, length: Duration?) {
        switch effect {
        case .prepare(let load, let entry, _):
            check(load > lastLoad, "\(load) was used before")
            lastLoad = load
            alive[load] = entry.id
            prepared += 1
        case .load(let load, let position, _):
            check(alive[load] != nil && ready.contains(load), "\(load) is loaded without bytes")
            check(position >= .zero, "load at \(position)")
            check(volumeIsKnown, "sound before the volume")
            (loaded, staged, isSeeking) = (load, nil, false)
        case .stage(let load):
            check(alive[load] != nil && ready.contains(load), "\(load) is staged without bytes")
            check(loaded.map { alive[$0] != nil } ?? false, "staged behind nothing")
            check(staged == nil, "two are staged")
            staged = load
        case .unstage:
            check(staged != nil, "nothing is staged")
            staged = nil
        case .setPlaying: check(loaded != nil, "nothing is loaded")
        case .seek(let position):
            check(loaded.map { alive[$0] != nil } ?? false, "a seek in a dead load")
            check(!isSeeking, "two seeks at once")
            check(position >= .zero && length.map { position <= $0 } ?? true, "a seek to \(position)")
            isSeeking = true
        case .stopEngine:
            check(loaded != nil, "nothing is loaded")
            (loaded, staged, isSeeking) = (nil, nil, false)
        case .awaitOutput: check(loaded == nil, "an output is awaited while a sound is loaded")
        case .setVolume: volumeIsKnown = true
        case .release(let load):
            check(alive.removeValue(forKey: load) != nil, "\(load) is released twice")
            check(staged != load || loaded.map { alive[$0] == nil } ?? true, "\(load) is released while staged")
            ready.remove(load)
            released += 1
        case .announceJump(let position): check(position >= .zero, "a jump to \(position)")
        case .fadeOut(let time):
            check(!isFading && time > .zero, "fades twice")
            isFading = true
        case .endFade:
            check(isFading, "ends no fade")
            isFading = false
        case .heard(let hearing): check(hearing.heard > .zero, "heard for nothing")
        case .save: break
        }
    }

    /// Something the world could truly tell now; nil when the drawn kind makes no sense at the moment.
    mutating func event(with random: inout SeededRandom) -> PlaybackInput? {
        let load = alive.keys.sorted().randomElement(using: &random) ?? LoadNumber(0)
        let position = Duration.milliseconds(Int.random(in: 0...200_000, using: &random))
        let failure = Failure(Failure.Code.allCases.randomElement(using: &random) ?? .network, "")
        let sounding = loaded.flatMap { alive[$0] == nil ? nil : $0 }
        switch Int.random(in: 0...13, using: &random) {
        case 0...2 where !ready.contains(load):
            ready.insert(load)
            return .prepared(load)
        case 3 where Int.random(in: 0...3, using: &random) == 0:
            return .refused(load, failure)
        case 4: return .bytesComplete(load)
        case 5: return sounding.map { .nearEnd($0) }
        case 6: return sounding.map { .positionReport($0, position) }
        case 7: return sounding.map { .engine(.started($0)) }
        case 8: return sounding.map { .engine(.hungry($0, at: position)) }
        case 9: return sounding.map { .engine(.fed($0, at: position)) }
        case 10 where isSeeking:
            isSeeking = false
            return sounding.map { .engine(.seeked($0, position)) }
        case 11:
            guard let next = staged, sounding != nil else { return nil }
            (loaded, staged, isSeeking) = (next, nil, false)
            return .engine(.started(next))
        case 12 where staged == nil: return sounding.map { .engine(.ended($0)) }
        case 13 where Int.random(in: 0...3, using: &random) == 0:
            return sounding.map { .engine(.failed($0, failure)) }
        default: return .engine(.lengthKnown(load, .seconds(Int.random(in: 1...300, using: &random))))
        }
    }

    /// Anything at all, about any load: what a confused or late part of the daemon could say.
    static func nonsense(with random: inout SeededRandom) -> PlaybackInput {
        let load = LoadNumber(UInt64.random(in: 0...400, using: &random))
        let position = Duration.milliseconds(Int.random(in: -1_000...200_000, using: &random))
        let inputs: [PlaybackInput] = [
            .engine(.started(load)), .engine(.ended(load)), .engine(.seeked(load, position)), .nearEnd(load),
            .engine(.hungry(load, at: position)), .engine(.fed(load, at: position)), .bytesComplete(load),
            .engine(.lengthKnown(load, position)), .positionReport(load, position),
            .engine(.volumeChanged(Double.random(in: -1...2, using: &random))),
            .engine(.outputChanged([.ok, .missing, .lost].randomElement(using: &random) ?? .ok)),
            .trackChanged(.numbered(Int.random(in: 1...9, using: &random))),
        ]
        return inputs.randomElement(using: &random) ?? .nearEnd(load)
    }

    /// Anything a listener could wish.
    static func wish(with random: inout SeededRandom, entries: [Entry]) -> PlaybackCommand {
        func some() -> EntryID { entries.randomElement(using: &random)?.id ?? EntryID(1) }
        func tracks() -> [Track] { Track.numbered(1...Int.random(in: 1...4, using: &random)) }
        let time = Duration.milliseconds(Int.random(in: -20_000...260_000, using: &random))
        switch Int.random(in: 0...21, using: &random) {
        case 0...1: return .play
        case 2: return .pause
        case 3: return .toggle
        case 4: return .stop
        case 5...6: return .next
        case 7...8: return .previous
        case 9...10: return .seekBy(time)
        case 11: return .seekTo(time, nil)
        case 12: return .setShuffle(Bool.random(using: &random))
        case 13...14: return .setRepeat(RepeatMode.allCases.randomElement(using: &random) ?? .off)
        case 15: return .go(some())
        case 16...17: return .add(tracks(), next: Bool.random(using: &random))
        case 18...19: return .remove([some(), some()])
        case 20: return .move(some(), to: Int.random(in: -1...20, using: &random))
        default:
            switch Int.random(in: 0...8, using: &random) {
            case 7: return .skip(to: some())
            case 8:
                let after = Bool.random(using: &random) ? some() : nil
                return .insert(tracks(), after: after, becomingCurrent: Bool.random(using: &random))
            case 4: return .playNow(tracks())
            case 5: return .setSleepTimer([nil, .endOfTrack].randomElement(using: &random) ?? nil)
            case 6: return .setSleepTimer(.after(.seconds(Int.random(in: 1...90, using: &random))))
            case 0: return .clear
            case 1: return .setVolume(Double.random(in: -0.5...1.5, using: &random))
            default: return .playTracks(tracks() + tracks(), startAt: Int.random(in: -1...9, using: &random))
            }
        }
    }
}
