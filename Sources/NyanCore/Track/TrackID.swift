/// A track's identity at VK: who owns the audio and its number there, written `OWNER_ID` (vk-api.md §2).
///
/// Never derived from VK's media URLs: those expire and differ at each resolve. A negative owner is a community or a
/// label; owner 0, which VK does not have, is a sound at an address of its own (`SoundAddress`).
public struct TrackID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Positive for people, negative for communities and the licensed catalogue, 0 for an address.
    public var owner: Int64
    /// The audio's number under its owner; positive.
    public var audio: Int64

    public init(owner: Int64, audio: Int64) {
        self.owner = owner
        self.audio = audio
    }

    /// Reads `OWNER_ID`; nil for anything else, also for a text with an access key (see `TrackReference`).
    public init?(_ text: Substring) {
        guard let reference = TrackReference(text), reference.accessKey == nil else { return nil }
        self = reference.id
    }

    /// The same of a whole text.
    public init?(_ text: String) { self.init(text[...]) }

    public var description: String {
        // Two numbers of 20 signs at most. Long listings write ten thousand of them.
        String(unsafeUninitializedCapacity: 41) { bytes in
            let owner = Self.write(owner, to: bytes, at: 0)
            bytes[owner] = UInt8(ascii: "_")
            return Self.write(audio, to: bytes, at: owner + 1)
        }
    }

    /// Returns where the number ends.
    private static func write(_ number: Int64, to bytes: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
        var start = start
        if number < 0 {
            bytes[start] = UInt8(ascii: "-")
            start += 1
        }
        var end = start
        var rest = number.magnitude
        repeat {
            bytes[end] = UInt8(ascii: "0") + UInt8(rest % 10)
            end += 1
            rest /= 10
        } while rest > 0
        bytes[start..<end].reverse()
        return end
    }

    /// VK knows it, or may.
    public var isVKs: Bool { owner != 0 }
}

/// A track as a person or VK names it: the identity, and the key that opens somebody else's track.
public struct TrackReference: Hashable, Sendable, CustomStringConvertible {
    public var id: TrackID
    /// VK's third part; without it a foreign track's location may come back empty (vk-api.md §2.2 `getById`).
    public var accessKey: String?

    public init(id: TrackID, accessKey: String? = nil) {
        self.id = id
        self.accessKey = accessKey
    }

    /// Reads `OWNER_ID` or `OWNER_ID_KEY` from the left, as vk-api.md §2 says: optional `-`, digits, `_`, digits.
    ///
    /// By bytes, and for these two kinds of text alone: over any `StringProtocol` the types would be looked up at run time,
    /// which costs a client that asks for one track a fifth of its own work (docs/decisions/0040).
    public init?(_ text: Substring) {
        var rest = text.utf8
        guard let owner = Self.number(&rest, signed: true), rest.popFirst() == Self.bar,
            let audio = Self.number(&rest, signed: false), audio > 0
        else { return nil }
        if let next = rest.popFirst() {
            guard next == Self.bar, !rest.isEmpty, rest.allSatisfy(Self.isLetterOrDigit) else { return nil }
            accessKey = String(Substring(rest))
        }
        id = TrackID(owner: owner, audio: audio)
    }

    /// The same of a whole text.
    public init?(_ text: String) { self.init(text[...]) }

    public var description: String { accessKey.map { id.description + "_" + $0 } ?? id.description }

    private static let bar = UInt8(ascii: "_")

    /// Takes a strict decimal number off the front: no plus sign, no spaces, ASCII digits only; nil where there is none or
    /// it does not fit.
    private static func number(_ rest: inout Substring.UTF8View, signed: Bool) -> Int64? {
        let isNegative = signed && rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        guard let first = rest.first, isDigit(first) else { return nil }
        // Counted below zero, where there is one number more.
        var number: Int64 = 0
        while let byte = rest.first, isDigit(byte) {
            let shifted = number.multipliedReportingOverflow(by: 10)
            let next = shifted.partialValue.subtractingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            guard !shifted.overflow, !next.overflow else { return nil }
            number = next.partialValue
            rest.removeFirst()
        }
        if isNegative { return number }
        return number == .min ? nil : -number
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (65...90).contains(byte) || (97...122).contains(byte)
    }
}
