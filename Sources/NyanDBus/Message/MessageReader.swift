import CDBus
import Glibc

/// Reads arguments out of a message, in order. Each read throws `InvalidArgs` where the next argument is of another
/// type or there is none; nothing unchecked reaches libdbus.
///
/// `readValue` gives whole values. For long lists read the parts, which makes no value per field:
/// ```
/// try reader.array { reader throws(BusError) in
///     try reader.structure { reader throws(BusError) in
///         rows.append(Row(title: try reader.string(), length: try reader.int64()))
///     }
/// }
/// ```
public struct MessageReader {
    // The iterator points into the message, so the message lives as long.
    private let message: Message
    private var iter = DBusMessageIter()
    /// How many values were read here; tells an array's closure that reads nothing.
    private var count = 0
    private(set) var limit: ReadingLimit

    public init(_ message: Message) { self.init(message, within: .none) }

    init(_ message: Message, within limit: ReadingLimit) {
        self.message = message
        self.limit = limit
        // FALSE means "no arguments"; the iterator is then at its end.
        _ = dbus_message_iter_init(message.raw, &iter)
    }

    private init(inside parent: inout MessageReader) {
        message = parent.message
        limit = parent.limit
        dbus_message_iter_recurse(&parent.iter, &iter)
    }

    /// Whether everything here has been read.
    public var isAtEnd: Bool { mutating get { code == 0 } }

    private var code: Int32 { mutating get { dbus_message_iter_get_arg_type(&iter) } }

    private mutating func require(_ wanted: Int32) throws(BusError) {
        let found = code
        guard found == wanted else {
            throw .invalidArguments("expected \(Self.letter(wanted)), found \(Self.letter(found))")
        }
        try limit.takeValue()
    }

    private static func letter(_ code: Int32) -> String {
        guard code > 0, let byte = UInt8(exactly: code) else { return "the end" }
        return String(UnicodeScalar(byte))
    }

    private mutating func advance() {
        count += 1
        dbus_message_iter_next(&iter)
    }

    public mutating func byte() throws(BusError) -> UInt8 { try fixed(.byte, 0) }
    public mutating func bool() throws(BusError) -> Bool { try fixed(.bool, 0 as dbus_bool_t) != 0 }
    public mutating func int16() throws(BusError) -> Int16 { try fixed(.int16, 0) }
    public mutating func uint16() throws(BusError) -> UInt16 { try fixed(.uint16, 0) }
    public mutating func int32() throws(BusError) -> Int32 { try fixed(.int32, 0) }
    public mutating func uint32() throws(BusError) -> UInt32 { try fixed(.uint32, 0) }
    public mutating func int64() throws(BusError) -> Int64 { try fixed(.int64, 0) }
    public mutating func uint64() throws(BusError) -> UInt64 { try fixed(.uint64, 0) }
    public mutating func double() throws(BusError) -> Double { try fixed(.double, 0) }
    public mutating func string() throws(BusError) -> String { try text(.string) }

    public mutating func objectPath() throws(BusError) -> ObjectPath {
        guard let path = ObjectPath(try text(.objectPath)) else { throw .invalidArguments("not an object path") }
        return path
    }

    public mutating func signature() throws(BusError) -> Signature {
        guard let signature = Signature(try text(.signature)) else { throw .invalidArguments("not a signature") }
        return signature
    }

    /// A fresh duplicate that belongs to the caller.
    public mutating func unixFD() throws(BusError) -> OwnedFD {
        try limit.takeDescriptor()
        let descriptor = try fixed(.unixFD, -1 as Int32)
        guard descriptor >= 0 else { throw .failed("the file descriptor could not be duplicated") }
        return OwnedFD(owning: descriptor)
    }

    private mutating func fixed<Value: BitwiseCopyable>(_ type: BasicType, _ start: Value) throws(BusError) -> Value {
        try require(Int32(type.rawValue))
        var value = start
        dbus_message_iter_get_basic(&iter, &value)
        advance()
        return value
    }

    private mutating func text(_ type: BasicType) throws(BusError) -> String {
        // libdbus has checked the UTF-8 of what it received; String repairs whatever it may have missed.
        String(cString: try textInPlace(type))
    }

    /// A text where it lies in the message, as long as that lives.
    mutating func textInPlace(_ type: BasicType = .string) throws(BusError) -> UnsafePointer<CChar> {
        try require(Int32(type.rawValue))
        var pointer: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iter, &pointer)
        guard let pointer else { throw .outOfMemory }
        try limit.takeText(strlen(pointer))
        advance()
        return pointer
    }

    /// An `ay` in one copy.
    public mutating func bytes() throws(BusError) -> [UInt8] { try withBytes { Array($0) } }

    /// An `ay` where it lies in the message, for the length of the call.
    public mutating func withBytes<Result>(_ read: (UnsafeRawBufferPointer) -> Result) throws(BusError) -> Result {
        try require(ContainerCode.array.rawValue)
        guard dbus_message_iter_get_element_type(&iter) == Int32(BasicType.byte.rawValue) else {
            throw .invalidArguments("expected ay, found another array")
        }
        var inner = MessageReader(inside: &self)
        var address: UnsafePointer<UInt8>?
        var length: Int32 = 0
        dbus_message_iter_get_fixed_array(&inner.iter, &address, &length)
        try limit.takeText(Int(length))
        let bytes = UnsafeBufferPointer(start: length > 0 ? address : nil, count: length > 0 ? Int(length) : 0)
        let value = read(UnsafeRawBufferPointer(bytes))
        advance()
        return value
    }

    /// Calls the closure once per element; it must read the whole element, nothing else.
    public mutating func array(_ element: (inout MessageReader) throws(BusError) -> Void) throws(BusError) {
        try require(ContainerCode.array.rawValue)
        var inner = MessageReader(inside: &self)
        while !inner.isAtEnd {
            let before = inner.count
            try element(&inner)
            guard inner.count > before else { throw .invalidArguments("an element was not read") }
        }
        limit = inner.limit
        advance()
    }

    /// Lets the closure read fields; those it leaves unread are skipped.
    public mutating func structure<Result>(
        _ fields: (inout MessageReader) throws(BusError) -> Result
    ) throws(BusError) -> Result {
        try inside(.structure, fields)
    }

    /// Lets the closure read the value in a variant.
    public mutating func variant<Result>(
        _ content: (inout MessageReader) throws(BusError) -> Result
    ) throws(BusError) -> Result {
        try inside(.variant, content)
    }

    /// Calls the closure once per entry of a dictionary; it reads the key, then the value.
    public mutating func dict(_ entry: (inout MessageReader) throws(BusError) -> Void) throws(BusError) {
        try array { reader throws(BusError) in
            try reader.inside(.dictEntry, entry)
        }
    }

    private mutating func inside<Result>(
        _ code: ContainerCode, _ body: (inout MessageReader) throws(BusError) -> Result
    ) throws(BusError) -> Result {
        try require(code.rawValue)
        var inner = MessageReader(inside: &self)
        let result = try body(&inner)
        limit = inner.limit
        advance()
        return result
    }

    /// The signature of the value that comes next; nil at the end.
    public mutating func nextSignature() -> Signature? {
        if let basic = BasicType(rawValue: UInt8(truncatingIfNeeded: code)) { return basic.signature }
        guard code != 0, let text = dbus_message_iter_get_signature(&iter) else { return nil }
        defer { dbus_free(text) }
        return Signature(String(cString: text))
    }

    /// The next value, whatever its type.
    public mutating func readValue() throws(BusError) -> BusValue {
        if let basic = BasicType(rawValue: UInt8(truncatingIfNeeded: code)) { return try readBasic(basic) }
        guard let type = nextSignature()?.single else { throw .invalidArguments("expected a value, found the end") }
        return try readValue(type)
    }
}
