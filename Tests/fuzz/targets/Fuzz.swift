import NyanCore

/// Readers of what comes from outside, each with the promises it must keep whatever the bytes are.
///
/// `nyanfuzz` (Tests/fuzz/program) throws bytes at them as libFuzzer makes them; the tests (Tests/fuzz/replay) those that
/// were kept, in every run of the tests.
enum Fuzz {
    /// What one reader does with bytes. A promise that does not hold is told by `hold`.
    typealias Target = @MainActor ([UInt8]) -> Void

    static let targets: [String: Target] = [
        sounds, texts, stored, network, answers, sites, bus, reports, typed, terminal, rows, kept,
    ].reduce(into: [:]) { all, some in all.merge(some) { $1 } }

    /// What is done about a promise that does not hold.
    static var broken: (String) -> Void = { _ in }
}

/// Tells of a promise that does not hold.
func hold(_ truth: Bool, _ promise: @autoclosure () -> String) {
    if !truth { Fuzz.broken(promise()) }
}

/// The bytes as text: what is no UTF-8 becomes U+FFFD, as everywhere at our rim.
nonisolated func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// No sign that moves a cursor, turns the line or ends it.
nonisolated func isTame(_ text: String) -> Bool {
    !text.unicodeScalars.contains { scalar in
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// Several texts in one input: the bytes cut at each U+001E.
nonisolated func fields(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: 0x1E, omittingEmptySubsequences: false).map { text($0) }
}
