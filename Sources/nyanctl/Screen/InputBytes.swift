import NyanCore

/// Turns the bytes a terminal sends into events: keys in the forms of xterm, the Linux console, rxvt and whatever terminfo
/// says, letters of UTF-8, mouse reports of two kinds, pasted text. A value without I/O; keeps what came in pieces.
nonisolated struct InputBytes {
    /// What to wait for before `settle` ends the waiting.
    enum Pause: Equatable {
        /// An escape may be a key of its own, or the beginning of another: fractions of a second.
        case key
        /// A key that has begun and lacks its end, on a slow line.
        case sequence
        /// The end of a paste, which the terminal sends in one go.
        case paste
    }

    private var pending: [UInt8] = []
    /// What was pasted so far; nil outside of a paste.
    private var pasted: [UInt8]?
    private var clicks = Clicks()
    /// The beginning of a key that was given up, and until when its end may still come, to be dropped.
    private var cut: (bytes: [UInt8], until: ContinuousClock.Instant)?
    /// What terminfo says about this terminal's keys, beyond the forms every terminal shares.
    private let named: [[UInt8]: ScreenKey]

    init(named: [[UInt8]: ScreenKey] = [:]) {
        self.named = named.filter { $0.key.first == Self.escape && $0.key.count > 1 }
    }

    private static let escape: UInt8 = 0x1B
    private static let pasteEnd = Array("\u{1b}[201~".utf8)
    /// Nothing that long is a key: it would only hold up what comes.
    private static let longest = 64
    /// How long after a key was given up its end may come.
    private static let lateness = Duration.seconds(1)
    /// Bytes of a paste that are taken; nobody means to type more.
    private static let longestPaste = 1 << 20

    /// nil while everything that came is understood.
    var pause: Pause? {
        if let pasted { return pasted.isEmpty && pending.isEmpty ? nil : .paste }
        if pending.isEmpty { return nil }
        return pending.count > 1 && pending[0] == Self.escape ? .sequence : .key
    }

    /// The events that are complete now, in their order. `now` tells double clicks.
    mutating func events(_ bytes: some Sequence<UInt8>, at now: ContinuousClock.Instant) -> [ScreenEvent] {
        pending += bytes
        if !dropTail(at: now) { return [] }
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
        if pasted != nil { return settlePaste() }
        // An escape that begins nothing, and then whatever followed it.
        guard pending.first == Self.escape else {
            pending = []
            return []
        }
        let rest = pending.dropFirst()
        cut = (pending, now + Self.lateness)
        pending = []
        // What looks like the beginning of a key and never became one is no text either.
        return rest.isEmpty ? [.key(.escape)] : []
    }

    /// The end of a key that came too late is no key of its own: `D` deletes files. False while it is still coming.
    private mutating func dropTail(at now: ContinuousClock.Instant) -> Bool {
        guard let begun = cut, !pending.isEmpty else { return true }
        let isTail =
            now < begun.until && pending[0] != Self.escape
            // An escape was a key of its own, save where what follows is a key's second byte.
            && (begun.bytes.count > 1 || pending[0] == UInt8(ascii: "[") || pending[0] == UInt8(ascii: "O"))
        guard isTail else {
            cut = nil
            return true
        }
        let whole = begun.bytes + pending
        guard let length = KeySequence.length(of: whole) else {
            cut?.bytes = whole
            pending = []
            if whole.count >= Self.longest { cut = nil }
            return false
        }
        cut = nil
        pending = Array(whole[length...])
        return true
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
        return bytes.count - lead < KeySequence.letterLength(bytes[lead]) ? lead : bytes.count
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

    /// The terminal is slow, or died in the middle. What came is delivered; what comes is still no key, until the mark of
    /// the end, or until somebody presses Escape.
    private mutating func settlePaste() -> [ScreenEvent] {
        let collected = pasted ?? []
        if collected.count < 4, !pending.isEmpty, pending.allSatisfy({ $0 == Self.escape }) {
            pasted = nil
            pending = []
            return []
        }
        let mark = (0...min(pending.count, Self.pasteEnd.count)).last { pending.suffix($0) == Self.pasteEnd.prefix($0) }
        let all = collected + pending.dropLast(mark ?? 0)
        let tail = Array(pending.suffix(mark ?? 0))
        let ready = all.isEmpty ? 0 : Self.whole(all)
        (pasted, pending) = (Array(all[ready...]), tail)
        return Self.pasting(Array(all[..<ready]))
    }

    private mutating func endPaste(with last: [UInt8]) -> [ScreenEvent] {
        let text = (pasted ?? []) + last
        pasted = nil
        pending = []
        return Self.pasting(text)
    }

    private static func pasting(_ bytes: [UInt8]) -> [ScreenEvent] {
        let text = String(decoding: bytes, as: UTF8.self)
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
