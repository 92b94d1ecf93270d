/// What the terminal says about its mouse: a button, and the cell it is over.
nonisolated struct MouseReport: Equatable {
    enum Button: Equatable { case left, right, wheelUp, wheelDown }

    var button: Button
    var place: Place

    /// nil for other sequences, for releases, drags and buttons without a meaning.
    init?(_ sequence: [UInt8]) {
        guard sequence.count > 3, sequence[1] == UInt8(ascii: "[") else { return nil }
        let code: Int
        if sequence[2] == UInt8(ascii: "<"), sequence.last == UInt8(ascii: "M") {
            // SGR (1006): button;column;row in decimal; a release ends in `m`.
            let numbers = sequence[3..<(sequence.count - 1)].split(separator: UInt8(ascii: ";"))
                .compactMap { Int(String(decoding: $0, as: UTF8.self)) }
            guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
            code = numbers[0]
            place = Place(row: numbers[2] - 1, column: numbers[1] - 1)
        } else if sequence[2] == UInt8(ascii: "M"), sequence.count == 6, sequence[4] > 32, sequence[5] > 32 {
            // The oldest form: each number plus 32 in one byte.
            code = Int(sequence[3]) - 32
            place = Place(row: Int(sequence[5]) - 33, column: Int(sequence[4]) - 33)
        } else {
            return nil
        }
        // 4, 8 and 16 are Shift, Alt and Ctrl.
        switch code & ~0b11100 {
        case 0: button = .left
        case 2: button = .right
        case 64: button = .wheelUp
        case 65: button = .wheelDown
        default: return nil
        }
    }
}

/// Tells double clicks: two on one cell within 0.4 s.
nonisolated struct Clicks {
    private var last: (place: Place, at: ContinuousClock.Instant)?

    mutating func event(_ report: MouseReport, at now: ContinuousClock.Instant) -> ScreenEvent? {
        defer { if report.button != .left { last = nil } }
        switch report.button {
        case .wheelUp: return .mouse(.wheelUp, at: report.place)
        case .wheelDown: return .mouse(.wheelDown, at: report.place)
        case .right: return .mouse(.menu, at: report.place)
        case .left:
            if let before = last, before.place == report.place, now - before.at < .milliseconds(400) {
                last = nil
                return .mouse(.doubleClick, at: report.place)
            }
            last = (report.place, now)
            return .mouse(.click, at: report.place)
        }
    }
}
