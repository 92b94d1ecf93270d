import NyanCore
import NyanDBus
import NyanWire

/// The members of `Account` that have to do with VK's own pages, forms and questions.
extension AccountFrontend {
    func answered(
        _ member: String, _ arguments: [BusValue], _ context: CallContext
    ) throws(BusError) -> Answer {
        if member == "LoginOutcome" { return logins.outcome(for: context.sender) }
        guard let signIn, let desk else { throw .unknownMethod(member) }
        switch member {
        case "AuthorizeAddress":
            return try .doing { () throws(Failure) in
                [.string(try signIn.authorizeAddress(profileName: Self.filled(arguments[0].string)))]
            }
        case "LoginWithPassword":
            return logins.begin(by: context.sender) { [self] () throws(Failure) in
                guard let descriptor = arguments[1].unixFD else {
                    throw Failure(.badArgument, "no password was handed over")
                }
                let password = try await SecretReader.readLine(descriptor, of: context.sender)
                let proved = try await signIn.login(
                    user: arguments[0].string ?? "", password: password, profileName: Self.filled(arguments[2].string))
                signedIn()
                return [Self.value(proved)]
            }
        case "Answer":
            return .later { () async throws(BusError) in
                do throws(Failure) {
                    guard let descriptor = arguments[0].unixFD else {
                        throw Failure(.badArgument, "no answer was handed over")
                    }
                    let answer = try await SecretReader.readLine(descriptor, of: context.sender)
                    return [.string(try await desk.answer(answer))]
                } catch {
                    throw FailureCoding.busError(error)
                }
            }
        case "LoginEnds": return .reply([.int64(loginEnds() ?? 0)])
        default: throw .unknownMethod(member)
        }
    }

    /// `Login` of kind `url`.
    func loginByAddress(
        _ descriptor: OwnedFD, _ profile: String?, by caller: String
    ) async throws(Failure) -> [BusValue] {
        guard let signIn else { throw Failure(.unsupported, "this way to sign in does not exist here") }
        let pasted = try await SecretReader.read(descriptor, of: caller)
        let proved = try await signIn.login(pasted: pasted, profileName: Self.filled(profile))
        signedIn()
        return [Self.value(proved)]
    }

    /// What whoever answered VK during a login is told of it.
    nonisolated static func signedInWords(_ values: [BusValue]) -> String {
        let fields = values.first?.fields ?? []
        let name = fields.count > 1 ? fields[1].string ?? "" : ""
        let tracks = fields.count > 2 ? fields[2].integer ?? 0 : 0
        return "Signed in as \(name), \(tracks) tracks"
    }

    private static func filled(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}
