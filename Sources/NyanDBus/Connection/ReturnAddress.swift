import CDBus

/// Where the answer to a call goes: all that is kept of its message.
///
/// The message itself may be large and may hold descriptors, and libdbus stops reading for everybody while too much of
/// that is alive; so it is given back as soon as its arguments have been read, however long the answer takes.
struct ReturnAddress {
    /// The caller's unique name; nil only without a bus in between.
    let sender: String?
    let serial: UInt32
    let wantsReply: Bool

    init(_ call: Message) {
        sender = call.sender
        serial = dbus_message_get_serial(call.raw)
        wantsReply = call.wantsReply
    }

    init(to sender: String, _ serial: UInt32) {
        (self.sender, self.serial, wantsReply) = (sender, serial, true)
    }
}

extension Message {
    /// The answer to a call.
    static func reply(to call: ReturnAddress, body: MessageBody) throws(BusError) -> Message {
        let message = try answer(to: call, type: 2)
        try message.write(body)
        return message
    }

    /// The error answer to a call; nil when there is no memory for it. A name D-Bus does not allow becomes `Failed`.
    ///
    /// The text is cut: it often repeats what the caller wrote, and the bus throws out whoever sends what is longer than
    /// a message may be, though the caller's own was just short enough.
    static func error(to call: ReturnAddress, _ error: BusError) -> Message? {
        guard let message = try? answer(to: call, type: 3) else { return nil }
        let name = BusNames.isErrorName(error.name) ? error.name : BusError.failed("").name
        guard dbus_message_set_error_name(message.raw, name) != 0 else { return nil }
        do throws(BusError) {
            try message.write(.values([.string(clipped(error.message))]))
        } catch {
            return nil
        }
        return message
    }

    static func answer(to call: ReturnAddress, type: Int32) throws(BusError) -> Message {
        guard let raw = dbus_message_new(type) else { throw .outOfMemory }
        let message = Message(owning: raw)
        dbus_message_set_no_reply(raw, 1)
        guard dbus_message_set_reply_serial(raw, call.serial) != 0,
            dbus_message_set_destination(raw, call.sender) != 0
        else { throw .outOfMemory }
        return message
    }

    private static let longestText = 2000

    /// A text of at most 2,000 scalars.
    static func clipped(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: longestText, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}
