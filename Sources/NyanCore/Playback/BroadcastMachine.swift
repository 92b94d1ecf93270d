/// Decides when the current track is shown in the person's VK status (`vk.broadcast`), and when no more.
///
/// A value without I/O. After each input the caller carries out the effects and comes back with `.moment` at
/// `nextMoment`; while nothing is to be told there is none, so that nothing wakes up for it.
public struct BroadcastMachine: Sendable {
    public enum Playback: Sendable, Equatable {
        /// Sound comes; nil = of something that is not VK's.
        case sounding(TrackID?)
        case paused, stopped
    }

    public enum Input: Sendable, Equatable {
        /// The setting; each time it is read again VK's refusal is forgotten.
        case setOn(Bool)
        /// Whose account may be asked now, by any number that differs between logins; nil = offline, or nobody.
        case account(Int?)
        case playback(Playback)
        case moment
        case answered(Answer)
    }

    public enum Answer: Sendable, Equatable {
        case done
        /// Errors 220 and 221, or a client that may not: no more of it until the setting is read again.
        case refused
        case failed
    }

    public enum Effect: Sendable, Equatable {
        /// Tell VK; nil = show none. One at a time.
        case show(TrackID?)
        /// Break the call under way off: something else wants VK now.
        case giveUp
    }

    /// For so long a track sounds before it is shown: who skips through a queue does not tell everybody.
    static let settling = Duration.seconds(5)
    /// The least time between two tracks.
    static let pace = Duration.seconds(15)
    /// A pause longer than this ends what is shown.
    static let longPause = Duration.seconds(60)

    /// What VK shows of us.
    private enum Shown: Equatable {
        case nothing
        case track(TrackID)
        /// A call was broken off or failed on its way.
        case unknown

        init(_ track: TrackID?) { self = track.map(Shown.track) ?? .nothing }
    }

    private var isOn = false
    private var isRefused = false
    private var account: Int?
    private var lastAccount: Int?
    private var playback = Playback.stopped
    /// Since when `playback` is so.
    private var since = Duration.zero
    private var shown = Shown.nothing
    /// What VK is being told.
    private var asking: Shown?
    /// What could not be told: not tried again until something else happens.
    private var given: Shown?
    private var lastAsked: Duration?

    public init() {}

    /// When to come back with `.moment`; nil = when something happens.
    public private(set) var nextMoment: Duration?

    /// VK may show something of us, and could be told that it is over: the last thing before the program ends.
    public var needsClearing: Bool { isOn && !isRefused && account != nil && (shown != .nothing || asking != nil) }

    public mutating func handle(_ input: Input, at now: Duration) -> [Effect] {
        var effects: [Effect] = []
        switch input {
        case .setOn(let on):
            isOn = on
            isRefused = false
            given = nil
        case .account(let number):
            account = number
            // What the account before shows is not ours to change any more.
            if let number, number != lastAccount {
                shown = .nothing
                lastAccount = number
            }
        case .playback(let fresh):
            guard fresh != playback else { break }
            playback = fresh
            since = now
            given = nil
            if let told = asking, told != .nothing {
                asking = nil
                shown = .unknown
                effects.append(.giveUp)
            }
        case .moment: break
        case .answered(let answer): take(answer)
        }
        effects += decide(at: now)
        return effects
    }

    private mutating func take(_ answer: Answer) {
        guard let told = asking else { return }
        asking = nil
        switch answer {
        case .done: shown = told
        case .refused:
            isRefused = true
            shown = .nothing
        case .failed:
            shown = .unknown
            given = told
        }
    }

    private mutating func decide(at now: Duration) -> [Effect] {
        nextMoment = nil
        guard !isRefused, account != nil, asking == nil, let (target, due) = wish, target != shown, target != given
        else { return [] }
        let isPaced = target != .nothing
        let moment = max(due, isPaced ? lastAsked.map { $0 + Self.pace } ?? due : due)
        guard moment <= now else {
            nextMoment = moment
            return []
        }
        asking = target
        lastAsked = now
        if case .track(let id) = target { return [.show(id)] }
        return [.show(nil)]
    }

    /// What VK should show, and from when on; nil where it does not matter.
    private var wish: (Shown, Duration)? {
        guard isOn else { return shown == .nothing ? nil : (.nothing, .zero) }
        switch playback {
        case .sounding(let track): return (Shown(track), since + Self.settling)
        case .paused: return (.nothing, since + Self.longPause)
        case .stopped: return (.nothing, since + Self.settling)
        }
    }
}
