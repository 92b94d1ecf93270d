@testable import NyanDBus

/// Makes values of D-Bus types out of bytes: whatever a peer could send where a type is declared.
struct Making {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place >= bytes.count }

    /// 0 behind the end, so that everything ends.
    mutating func byte() -> UInt8 {
        guard place < bytes.count else { return 0 }
        place += 1
        return bytes[place - 1]
    }

    mutating func number() -> Int64 {
        switch byte() {
        case 0: return 0
        case 1: return .max
        case 2: return .min
        case 3: return -1
        case 4: return Int64(Int32.max)
        case 5: return 1_800_000_000
        case 6: return (0..<8).reduce(0) { number, _ in number << 8 | Int64(byte()) }
        case 7: return Int64(byte()) << 8 | Int64(byte())
        case let value: return Int64(value)
        }
    }

    mutating func real() -> Double {
        switch byte() {
        case 0: return 0
        case 1: return .infinity
        case 2: return -.infinity
        case 3: return .nan
        case 4: return 1e300
        case 5: return -1e300
        case 6: return .leastNonzeroMagnitude
        case 7:
            return Double(
                bitPattern: UInt64(bitPattern: (0..<8).reduce(0) { number, _ in number << 8 | Int64(byte()) }))
        case 8: return 1e18
        case let value: return Double(value) / 2
        }
    }

    /// Words that something is made of, so that readers are passed.
    private static let words = [
        "", "1_2", "-1_2_key", "playing", "paused", "running", "done", "failed", "waiting", "off", "track", "ok",
        "lost",
        "profile", "listenbrainz", "lastfm", "Artist", "Title – long enough to be cut somewhere in a narrow terminal",
        "кириллица", "/m/a.mp3", "added", "deleted", "daemon", "note", "problem", "\u{1b}[2J", "👩‍👩‍👧‍👦",
        "a\u{301}\u{301}\u{301}",
        "\u{202E}", "network", "unit",
    ]

    mutating func string() -> String {
        let first = Int(byte())
        if first < Self.words.count { return Self.words[first] }
        let count = min(first & 63, bytes.count - place)
        defer { place += count }
        // D-Bus strings cannot hold a NUL.
        return text(bytes[place..<place + count].filter { $0 != 0 })
    }

    /// Keys of what travels as `a{sv}`.
    private static let keys = [
        "state", "track", "position", "duration", "volume", "shuffle", "repeat", "queuePosition", "queueLength",
        "buffered", "online", "problem", "version", "sleepIn", "sleepAtEndOf", "audioOutput", "signedIn", "offlineMode",
    ]

    /// The types of a status' values, and some others.
    private static let types: [Signature] = [
        "s", "(sssssubsbbssx)", "d", "d", "d", "b", "s", "u", "u", "d", "b", "(ss)", "s", "d", "s", "s", "b", "b", "x",
        "as", "ay", "v", "a{sv}", "t", "i", "q", "n", "y", "o", "g", "()",
    ].compactMap { Signature($0 == "()" ? "(s)" : $0) }

    private mutating func entry(_ depth: Int) -> (BusValue, BusValue) {
        let place = Int(byte()) % Self.keys.count
        // Mostly what belongs there.
        let type = byte() < 200 ? Self.types[place] : Self.types[Int(byte()) % Self.types.count]
        return (.string(Self.keys[place]), .variant(value(type.types[0], depth + 1)))
    }

    mutating func values(_ signature: Signature) -> [BusValue] { signature.types.map { value($0, 0) } }

    mutating func value(_ type: BusType, _ depth: Int) -> BusValue {
        switch type {
        case .basic(let basic): return value(basic)
        case .variant:
            return .variant(
                depth > 6 ? .bool(true) : value(Self.types[Int(byte()) % Self.types.count].types[0], depth + 1))
        case .array(let element):
            guard let one = element.single else { return .bytes([]) }
            if case .basic(.byte) = one { return .bytes((0..<Int(byte())).map { _ in byte() }) }
            let count = depth > 6 || isAtEnd ? 0 : Int(byte() & 7)
            return .array((0..<count).map { _ in value(one, depth + 1) }, of: element)
        case .structure(let fields): return .structure(fields.map { value($0, depth + 1) })
        case .dict(let key, let element, _, _):
            let count = depth > 6 || isAtEnd ? 0 : Int(byte() & 31)
            let isNamed = key == .string && element.text == "v"
            let entries = (0..<count).map { _ -> BusDict.Entry in
                if isNamed {
                    let (key, value) = entry(depth)
                    return BusDict.Entry(key: key, value: value)
                }
                return BusDict.Entry(key: value(key), value: value(element.types[0], depth + 1))
            }
            return .dict(BusDict(keyType: key, value: element, entries: entries))
        }
    }

    private mutating func value(_ type: BasicType) -> BusValue {
        switch type {
        case .byte: .byte(byte())
        case .bool: .bool(byte() & 1 != 0)
        case .int16: .int16(Int16(truncatingIfNeeded: number()))
        case .uint16: .uint16(UInt16(truncatingIfNeeded: number()))
        case .int32: .int32(Int32(truncatingIfNeeded: number()))
        case .uint32: .uint32(UInt32(truncatingIfNeeded: number()))
        case .int64: .int64(number())
        case .uint64: .uint64(UInt64(bitPattern: number()))
        case .double: .double(real())
        case .string: .string(string())
        case .objectPath: .objectPath(ObjectPath(string()) ?? .root)
        case .signature: .signature(Signature(string()) ?? .empty)
        // Descriptors do not come out of bytes.
        case .unixFD: .bool(false)
        }
    }
}
