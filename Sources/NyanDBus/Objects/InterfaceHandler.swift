/// The behaviour behind one interface of an object. Called only for declared members, with arguments of the declared
/// types; each method has a default that suits an interface without that kind of member.
public protocol InterfaceHandler: AnyObject {
    /// Answers a method call. The state a caller could read afterwards should be the new one when the answer is given.
    func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer
    /// The value of a declared property, of its declared type. Called for Get and, for every property, for GetAll.
    func get(_ property: String) -> BusValue?
    /// Sets a writable property to a value of its declared type. When this returns, `get` gives what was kept.
    func set(_ property: String, _ value: BusValue) throws(BusError)
}

extension InterfaceHandler {
    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        throw .unknownMethod(member)
    }

    public func get(_ property: String) -> BusValue? { nil }

    public func set(_ property: String, _ value: BusValue) throws(BusError) { throw .propertyReadOnly(property) }
}

/// How a method call is answered. Whatever is answered must have the method's declared output types.
public enum Answer {
    /// At once, with these values.
    case reply([BusValue])
    /// At once, written straight into the message: for long lists.
    case written((inout MessageWriter) throws(BusError) -> Void)
    /// Later, by this closure, which runs in its own task on the main actor.
    case later(@MainActor () async throws(BusError) -> [BusValue])
    /// Later, written straight into the message by what this closure gives.
    case laterWritten(@MainActor () async throws(BusError) -> ((inout MessageWriter) throws(BusError) -> Void))
    /// Later, by whoever was given the `CallContext`.
    case taken

    /// At once, with no values.
    public static let done = Answer.reply([])
}

/// One call being answered. Keep it (and answer `.taken`) to reply later; a context that is dropped without an answer
/// answers `Failed`, so that no caller waits in vain.
public final class CallContext {
    /// The unique name of the caller.
    public let sender: String
    public let path: String
    public let member: String
    /// False where the caller asked not to be answered; answers are then not even made.
    public let wantsReply: Bool
    private let address: ReturnAddress
    private let output: Signature
    private weak var connection: Connection?
    private let load: CallLoad
    private var isAnswered = false

    init(
        _ address: ReturnAddress, path: String, member: String, output: Signature, load: CallLoad,
        on connection: Connection
    ) {
        self.address = address
        self.output = output
        self.load = load
        self.connection = connection
        self.path = path
        self.member = member
        sender = address.sender ?? ""
        wantsReply = address.wantsReply
    }

    /// Answers with values of the declared output types. Only the first answer counts.
    public func reply(_ values: [BusValue] = []) { answer(.typed(output, values)) }

    /// Answers with an error. Only the first answer counts.
    public func fail(_ error: BusError) {
        guard !isAnswered else { return }
        answered()
        guard wantsReply, let connection, let reply = Message.error(to: address, error) else { return }
        // A failed send means that the connection is gone, and with it whoever waits.
        try? connection.send(reply)
    }

    /// Carries out what a handler decided.
    func carryOut(_ answer: Answer) {
        switch answer {
        case .reply(let values): reply(values)
        case .written(let write): self.answer(.written(output, write))
        case .later(let work):
            Task.onMain { [self] in
                do throws(BusError) {
                    reply(try await work())
                } catch {
                    fail(error)
                }
            }
        case .laterWritten(let work):
            Task.onMain { [self] in
                do throws(BusError) {
                    self.answer(.written(output, try await work()))
                } catch {
                    fail(error)
                }
            }
        case .taken: break
        }
    }

    private func answered() {
        isAnswered = true
        load.release()
    }

    private func answer(_ body: MessageBody) {
        guard !isAnswered else { return }
        guard wantsReply, let connection else {
            answered()
            return
        }
        do throws(BusError) {
            let reply = try Message.reply(to: address, body: body)
            answered()
            try connection.send(reply)
        } catch {
            // An answer that does not fit its declaration is our fault, not the caller's.
            connection.onFault?("\(member): the answer could not be sent: \(error)")
            fail(.failed("the answer could not be sent"))
        }
    }

    isolated deinit { fail(.failed("the call was not answered")) }
}
