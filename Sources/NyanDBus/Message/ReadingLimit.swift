/// How much of a message's arguments may still be read (`Connection.callLimit`).
///
/// A message may have 128 MiB, and a value of two bytes in it costs fifty here: without a limit one call of one peer
/// took over a gigabyte and the main actor for half a minute.
nonisolated public struct ReadingLimit: Sendable {
    /// Values left, containers included.
    private var values: Int
    /// Bytes of text left.
    private var bytes: Int
    /// The longest text, in bytes.
    private let longest: Int
    private let isUnlimited: Bool

    /// For answers and signals, which were asked for, and among friends.
    public static let none = ReadingLimit(values: .max, bytes: .max, longest: .max, isUnlimited: true)
    /// For calls of anybody. The longest list in use are the ids of a library, of 30 bytes each; the longest text is a
    /// file's address, whose path has at most 4 KiB, each byte written as three.
    public static let modest = ReadingLimit(values: 250_000, bytes: 16 << 20, longest: 16 << 10, isUnlimited: false)

    /// For signals that wait for something else.
    static let small = ReadingLimit(values: 4096, bytes: 64 << 10, longest: 16 << 10, isUnlimited: false)

    private init(values: Int, bytes: Int, longest: Int, isUnlimited: Bool) {
        (self.values, self.bytes, self.longest, self.isUnlimited) = (values, bytes, longest, isUnlimited)
    }

    /// About what has been read costs, in bytes.
    var spent: Int { isUnlimited ? 0 : (Self.modest.values - values) * 64 + Self.modest.bytes - bytes }

    mutating func takeValue() throws(BusError) {
        guard !isUnlimited else { return }
        guard values > 0 else { throw .limitsExceeded("a call may not have so many values") }
        values -= 1
    }

    /// `length` is asked for only where it counts.
    mutating func takeText(_ length: @autoclosure () -> Int) throws(BusError) {
        guard !isUnlimited else { return }
        let length = length()
        guard length <= longest, length <= bytes else {
            throw .limitsExceeded("a text of \(length) bytes is longer than any that is taken")
        }
        bytes -= length
    }

    /// A descriptor is a thing of which a process has few.
    mutating func takeDescriptor() throws(BusError) {
        guard !isUnlimited else { return }
        guard bytes >= Self.descriptor else { throw .limitsExceeded("a call may not have so many descriptors") }
        bytes -= Self.descriptor
    }

    private static let descriptor = 1 << 20
}
