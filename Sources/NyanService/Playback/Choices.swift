import NyanCore

/// In which order it was wished what is current. A wish that has to find its track first may be ready only after a later
/// one was carried out: that one counts.
struct Choices {
    private var made: UInt64 = 0
    private var newest: UInt64 = 0

    /// The number of a wish that will be carried out later; to be taken when it is made.
    mutating func make() -> UInt64 {
        made += 1
        return made
    }

    /// A wish is carried out that was made just now.
    mutating func carriedOut() { newest = make() }

    /// Whether a wish still counts; if so, it is carried out.
    mutating func carryOut(_ number: UInt64) -> Bool {
        guard number > newest else { return false }
        newest = number
        return true
    }
}

extension PlaybackCommand {
    /// Whether it says by itself what is current from then on. `insert` is asked for by number.
    var choosesCurrent: Bool {
        switch self {
        case .next, .previous, .go, .skip, .playTracks, .playNow, .clear: true
        default: false
        }
    }
}

extension PlayerService {
    /// A wish about what is current that has to find its track first: to be called when the wish is made.
    func makeChoice() -> UInt64 { choices.make() }

    /// Carries out a wish whose track is found, under the number it was made with: later ones that are still on their
    /// way count more.
    /// - Throws: `.cancelled` where something else was chosen since it was made.
    func perform(_ command: PlaybackCommand, choice number: UInt64) throws(Failure) {
        guard choices.carryOut(number) else {
            throw Failure(.cancelled, "something else was chosen meanwhile")
        }
        carryOut(command)
    }
}
