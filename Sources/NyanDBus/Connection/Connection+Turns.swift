import CDBus

/// Who is answered when, and what happens when the bus does not take our answers.
extension Connection {
    /// Bytes that may wait to be sent before no more calls are done, and before nothing more is read. What waits goes out
    /// whenever the bus reads; a bus that is held up by somebody who does not read from it may take a while.
    private static let mostUnsent = 32 << 20
    private static let mostUnsentOfAll = 64 << 20

    /// About how many bytes wait to be sent.
    var unsent: Int { dbus_connection_get_outgoing_size(raw) }

    var mayAnswer: Bool { !isClosed && unsent < Self.mostUnsent }
    /// Also where the bus is gone: nothing goes out then, and its end is read like a message.
    var mayRead: Bool {
        !isClosed && (unsent < Self.mostUnsentOfAll || dbus_connection_get_is_connected(raw) == 0)
    }

    /// Puts a call in the line.
    func takeIn(_ message: Message) {
        let call = objects.waitingCall(message, on: self)
        if !line.add(call) { refuse(call.address, .limitsExceeded("too many calls of yours wait for an answer")) }
    }

    /// Does the calls whose turn it is, as many as a turn of the queue has room for.
    func doCalls() {
        var left = Self.callsPerTurn
        while left > 0, !line.isEmpty, mayAnswer, let (call, load) = line.next() {
            left -= 1
            do throws(BusError) {
                try call.work(load, self)
            } catch {
                load.release()
                refuse(call.address, error)
            }
        }
    }

    /// Answers a call, where an answer is wanted, with what the closure writes.
    func answer(
        _ address: ReturnAddress, _ load: CallLoad, _ signature: Signature,
        _ write: (inout MessageWriter) throws(BusError) -> Void
    ) throws(BusError) {
        if address.wantsReply {
            let reply = try Message.answer(to: address, type: 2)
            var writer = MessageWriter(reply, signature)
            try write(&writer)
            try writer.finish()
            try send(reply)
        }
        load.release()
    }

    /// Answers a Get.
    func answer(_ address: ReturnAddress, _ load: CallLoad, _ property: ServedProperty) throws(BusError) {
        guard let value = property.value(onFault: onFault) else {
            throw .failed("\(property.name) has no value")
        }
        try answer(address, load, StandardInterfaces.getOutput) { writer throws(BusError) in
            try writer.variant(value)
        }
    }

    private func refuse(_ address: ReturnAddress, _ error: BusError) {
        guard address.wantsReply, let reply = Message.error(to: address, error) else { return }
        // A failed send means that the connection is gone, and with it whoever waits.
        try? send(reply)
    }
}
