import CDBus

/// Writes arguments into a message, each checked against the signature announced beforehand.
///
/// A type that does not match throws `InvalidArgs` and never reaches libdbus, which would abort (mpris.md §1). Give
/// whole values to `append`, or write the parts of long lists yourself:
/// ```
/// try writer.array { writer throws(BusError) in
///     for track in tracks {
///         try writer.structure { writer throws(BusError) in
///             try writer.string(track.title)
///             try writer.int64(track.length)
///         }
///     }
/// }
/// ```
/// A body is refused (`InvalidArgs`) beyond 64 MiB or 64 nested containers: the bus would drop the connection for it.
public struct MessageWriter: ~Copyable {
    static let mostBytes = 64 << 20
    private static let deepest = 64

    var iter = DBusMessageIter()
    private let types: [BusType]
    private var next = 0
    /// In an array every element is of `types[0]`.
    private let repeats: Bool
    /// In a dictionary the elements are entries, which are not structs to libdbus.
    private let holdsEntries: Bool
    private let depth: Int
    /// Bytes still allowed.
    private var budget: Int

    init(_ message: Message, _ signature: Signature) {
        types = signature.types
        repeats = false
        holdsEntries = false
        depth = 0
        budget = Self.mostBytes
        dbus_message_iter_init_append(message.raw, &iter)
    }

    private init(_ shape: Shape, inside parent: borrowing MessageWriter) {
        types = shape.types
        repeats = shape.repeats
        holdsEntries = shape.holdsEntries
        depth = parent.depth + 1
        budget = parent.budget
    }

    /// Called once at the end of a message or struct: every announced type must have been written.
    func finish() throws(BusError) {
        if !repeats, next < types.count {
            throw .invalidArguments("\(types.count) values were announced, \(next) written")
        }
    }

    /// The type that must be written next; nil where nothing more may be.
    var peekType: BusType? { repeats ? types[0] : next < types.count ? types[next] : nil }

    /// The type that must be written now.
    mutating func expect(_ written: @autoclosure () -> String) throws(BusError) -> BusType {
        if repeats { return types[0] }
        guard next < types.count else { throw .invalidArguments("\(written()) written where nothing was announced") }
        defer { next += 1 }
        return types[next]
    }

    private mutating func expect(_ basic: BasicType) throws(BusError) {
        let type = try expect(basic.text)
        guard case .basic(basic) = type else { throw Self.mismatch(type, basic.text) }
    }

    private mutating func spend(_ bytes: Int) throws(BusError) {
        budget -= bytes
        if budget < 0 { throw .invalidArguments("the message is too large") }
    }

    static func mismatch(_ expected: BusType, _ written: String) -> BusError {
        .invalidArguments("\(written) written where \(expected.text) was announced")
    }

    public mutating func byte(_ value: UInt8) throws(BusError) { try fixed(.byte, value) }
    public mutating func bool(_ value: Bool) throws(BusError) { try fixed(.bool, value ? 1 : 0 as dbus_bool_t) }
    public mutating func int16(_ value: Int16) throws(BusError) { try fixed(.int16, value) }
    public mutating func uint16(_ value: UInt16) throws(BusError) { try fixed(.uint16, value) }
    public mutating func int32(_ value: Int32) throws(BusError) { try fixed(.int32, value) }
    public mutating func uint32(_ value: UInt32) throws(BusError) { try fixed(.uint32, value) }
    public mutating func int64(_ value: Int64) throws(BusError) { try fixed(.int64, value) }
    public mutating func uint64(_ value: UInt64) throws(BusError) { try fixed(.uint64, value) }
    public mutating func double(_ value: Double) throws(BusError) { try fixed(.double, value) }
    public mutating func string(_ value: String) throws(BusError) { try text(.string, value) }
    public mutating func objectPath(_ value: ObjectPath) throws(BusError) { try text(.objectPath, value.text) }
    public mutating func signature(_ value: Signature) throws(BusError) { try text(.signature, value.text) }

    /// A duplicate of the descriptor goes into the message.
    public mutating func unixFD(_ value: OwnedFD) throws(BusError) {
        let descriptor = value.descriptor
        guard descriptor >= 0 else { throw .invalidArguments("the file descriptor was given away") }
        try fixed(.unixFD, descriptor)
    }

    private mutating func fixed<Value: BitwiseCopyable>(_ type: BasicType, _ value: Value) throws(BusError) {
        try expect(type)
        try spend(MemoryLayout<Value>.size)
        var value = value
        guard dbus_message_iter_append_basic(&iter, Int32(type.rawValue), &value) != 0 else { throw .outOfMemory }
    }

    /// libdbus copies up to the first NUL, which is where a string is cut.
    private mutating func text(_ type: BasicType, _ value: String) throws(BusError) {
        try expect(type)
        try spend(value.utf8.count + 5)
        guard Self.append(value, type, to: &iter) else { throw .outOfMemory }
    }

    // Without the actor, as its closure would ask for it again.
    private nonisolated static func append(_ value: String, _ type: BasicType, to iter: inout DBusMessageIter) -> Bool {
        value.withCString { pointer in
            var pointer: UnsafePointer<CChar>? = pointer
            return dbus_message_iter_append_basic(&iter, Int32(type.rawValue), &pointer) != 0
        }
    }

    /// An `ay` in one copy.
    public mutating func bytes(_ value: [UInt8]) throws(BusError) {
        let type = try expect("ay")
        guard case .array(let element) = type, case .basic(.byte) = element.single else {
            throw Self.mismatch(type, "ay")
        }
        try spend(value.count)
        try container(Shape(.array, "y", [.basic(.byte)])) { inner throws(BusError) in
            let appended = value.withUnsafeBufferPointer { buffer in
                // An empty array may have no address, and libdbus wants one.
                var address: UnsafePointer<UInt8>? = buffer.baseAddress ?? UnsafePointer(bitPattern: 8)
                return dbus_message_iter_append_fixed_array(
                    &inner.iter, Int32(BasicType.byte.rawValue), &address, Int32(buffer.count))
            }
            guard appended != 0 else { throw .outOfMemory }
        }
    }

    /// An array; the closure writes as many elements as it likes.
    public mutating func array(_ body: (inout MessageWriter) throws(BusError) -> Void) throws(BusError) {
        let type = try expect("an array")
        guard case .array(let element) = type else { throw Self.mismatch(type, "an array") }
        try container(Shape(.array, element.text, element.types), body)
    }

    /// A struct; the closure writes every field.
    public mutating func structure(_ body: (inout MessageWriter) throws(BusError) -> Void) throws(BusError) {
        let type = try expect("a struct")
        guard !holdsEntries, case .structure(let fields) = type else { throw Self.mismatch(type, "a struct") }
        try container(Shape(.structure, nil, fields), body)
    }

    /// A variant holding one value of the complete type `content`.
    public mutating func variant(
        of content: Signature, _ body: (inout MessageWriter) throws(BusError) -> Void
    ) throws(BusError) {
        let type = try expect("v")
        guard case .variant = type else { throw Self.mismatch(type, "v") }
        guard content.isSingle, content.isWithinLimits else {
            throw .invalidArguments("a variant holds one value of a valid type")
        }
        try spend(content.text.utf8.count + 2)
        try container(Shape(.variant, content.text, content.types), body)
    }

    /// A dictionary; the closure writes entries with `entry`.
    public mutating func dict(_ body: (inout MessageWriter) throws(BusError) -> Void) throws(BusError) {
        let type = try expect("a dictionary")
        guard case .dict(_, _, let entry, let fields) = type else { throw Self.mismatch(type, "a dictionary") }
        try container(Shape(.array, entry, fields, holdsEntries: true), body)
    }

    /// One entry of a dictionary; the closure writes key and value.
    public mutating func entry(_ body: (inout MessageWriter) throws(BusError) -> Void) throws(BusError) {
        let type = try expect("an entry")
        guard holdsEntries, case .structure(let fields) = type else { throw Self.mismatch(type, "an entry") }
        try container(Shape(.dictEntry, nil, fields), body)
    }

    private mutating func container(
        _ shape: Shape, _ body: (inout MessageWriter) throws(BusError) -> Void
    ) throws(BusError) {
        guard depth < Self.deepest else { throw .invalidArguments("the value is nested too deeply") }
        try spend(8)
        var inner = MessageWriter(shape, inside: self)
        let opened = dbus_message_iter_open_container(&iter, shape.code.rawValue, shape.contains, &inner.iter)
        guard opened != 0 else { throw .outOfMemory }
        do throws(BusError) {
            try body(&inner)
            try inner.finish()
        } catch {
            dbus_message_iter_abandon_container(&iter, &inner.iter)
            throw error
        }
        budget = inner.budget
        guard dbus_message_iter_close_container(&iter, &inner.iter) != 0 else { throw .outOfMemory }
    }
}

/// A container about to be opened: its code, the signature libdbus wants for it, and what may be written inside.
private struct Shape {
    let code: ContainerCode
    let contains: String?
    let types: [BusType]
    let holdsEntries: Bool

    init(_ code: ContainerCode, _ contains: String?, _ types: [BusType], holdsEntries: Bool = false) {
        self.code = code
        self.contains = contains
        self.types = types
        self.holdsEntries = holdsEntries
    }

    var repeats: Bool { code == .array }
}

/// libdbus' codes of types with parts. The C constants are casts in macros, which Swift does not import.
nonisolated enum ContainerCode: Int32 {
    case array = 0x61
    case structure = 0x72
    case dictEntry = 0x65
    case variant = 0x76
}
