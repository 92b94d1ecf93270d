import NyanCore

/// Turns the bytes a terminal sends into events: keys in the forms of xterm, the Linux console, rxvt and whatever terminfo
/// says, letters of UTF-8, mouse reports of two kinds, pasted text. A value without I/O; keeps what came in pieces.
nonisolated struct InputBytes {
    /// What to wait for before `settle` ends the waiting.
    enum Pause: Equatable {
        /// An escape may be a key of its own, or the beginning of another: fractions of a second.
        case key
        /// The end of a paste, which the terminal sends in one go.
        case paste
    }

    private var pending: [UInt8] = []
    /// What was pasted so far; nil outside of a paste.
    private var pasted: [UInt8]?
    private var clicks = Clicks()
    /// What terminfo says about this terminal's keys, beyond the forms every terminal shares.
    private let named: [[UInt8]: ScreenKey]

    init(named: [[UInt8]: ScreenKey] = [:]) {
        self.named = named.filter { $0.key.first == Self.escape && $0.key.count > 1 }
    }

    private static let escape: UInt8 = 0x1B
    private static let pasteEnd = Array("\u{1b}[201~".utf8)
    /// Nothing that long is a key: it would only hold up what comes.
    private static let longest = 64
    /// Bytes of a paste that are taken; nobody means to type more.
    private static let longestPaste = 1 << 20

    /// nil while everything that came is understood.
    var pause: Pause? { pasted != nil ? .paste : pending.isEmpty ? nil : .key }

    /// The events that are complete now, in their order. `now` tells double clicks.
    mutating func events(_ bytes: some Sequence<UInt8>, at now: ContinuousClock.Instant) -> [ScreenEvent] {
        pending += bytes
        var events: [ScreenEvent] = []
        while !pending.isEmpty {
            if pasted != nil {
                guard let text = takePaste() else { break }
                events += text
            } else if pending[0] == Self.escape {
                guard let found = takeSequence(at: now) else { break }
                events += found
            } else {
                guard let letters = takeLetters() else { break }
                events += letters
            }
        }
        return events
    }

    /// Nothing more came: what waited was a key, or all of a paste.
    mutating func settle(at now: ContinuousClock.Instant) -> [ScreenEvent] {
        if pasted != nil { return endPaste(with: pending) }
        // An escape that begins nothing, and then whatever followed it.
        guard pending.first == Self.escape else {
            pending = []
            return []
        }
        let rest = pending.dropFirst()
        pending = []
        // What looks like the beginning of a key and never became one is no text either.
        return rest.isEmpty ? [.key(.escape)] : []
    }

    // Letters, up to the next escape; nil while the last one lacks bytes.
    private mutating func takeLetters() -> [ScreenEvent]? {
        let end = pending.firstIndex(of: Self.escape) ?? pending.count
        var ready = end
        if end == pending.count { ready = Self.whole(pending) }
        guard ready > 0 else {
            if pending.count < 4, end == pending.count { return nil }
            pending.removeFirst()
            return []
        }
        let text = String(decoding: pending[..<ready], as: UTF8.self)
        pending.removeFirst(ready)
        return text.compactMap { KeySequence.letter($0).map(ScreenEvent.key) }
    }

    /// How many bytes at the front are whole letters: all but the first bytes of one that is still coming.
    private static func whole(_ bytes: [UInt8]) -> Int {
        var lead = bytes.count - 1
        while lead > 0, bytes.count - lead < 4, bytes[lead] & 0xC0 == 0x80 { lead -= 1 }
        let first = bytes[lead]
        let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        return bytes.count - lead < length ? lead : bytes.count
    }

    private mutating func takePaste() -> [ScreenEvent]? {
        guard let end = pending.firstRange(of: Self.pasteEnd)?.lowerBound else {
            // The mark itself may come in pieces.
            let sure = max(0, pending.count - Self.pasteEnd.count + 1)
            pasted?.append(contentsOf: pending[..<sure])
            pending.removeFirst(sure)
            if let count = pasted?.count, count > Self.longestPaste { pasted?.removeLast(count - Self.longestPaste) }
            return nil
        }
        let last = Array(pending[..<end])
        let rest = Array(pending[(end + Self.pasteEnd.count)...])
        let events = endPaste(with: last)
        pending = rest
        return events
    }

    private mutating func endPaste(with last: [UInt8]) -> [ScreenEvent] {
        let text = String(decoding: (pasted ?? []) + last, as: UTF8.self)
        pasted = nil
        pending = []
        let plain = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
        return plain.isEmpty ? [] : [.pasted(plain)]
    }

    private mutating func takeSequence(at now: ContinuousClock.Instant) -> [ScreenEvent]? {
        for (bytes, key) in named where pending.starts(with: bytes) {
            pending.removeFirst(bytes.count)
            return [.key(key)]
        }
        if pending.count < Self.longest, named.keys.contains(where: { $0.starts(with: pending) }) { return nil }
        guard let length = KeySequence.length(of: pending) else {
            guard pending.count >= Self.longest else { return nil }
            pending = []
            return []
        }
        let sequence = Array(pending[..<length])
        pending.removeFirst(length)
        if sequence == Array("\u{1b}[200~".utf8) {
            pasted = []
            return []
        }
        if let report = MouseReport(sequence) { return clicks.event(report, at: now).map { [$0] } ?? [] }
        return KeySequence.key(sequence).map { [.key($0)] } ?? []
    }
}
