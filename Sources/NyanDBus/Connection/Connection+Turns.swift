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
        while left > 0, mayAnswer, let (call, load) = line.next() {
            left -= 1
            do throws(BusError) {
                try call.work(load)
            } catch {
                refuse(call.address, error)
            }
        }
    }

    private func refuse(_ address: ReturnAddress, _ error: BusError) {
        guard address.wantsReply, let reply = Message.error(to: address, error) else { return }
        // A failed send means that the connection is gone, and with it whoever waits.
        try? send(reply)
    }
}
