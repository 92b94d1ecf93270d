import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Friends and groups of a test.
final class ScriptedPeople: PeopleSource {
    var people: [Person] = []
    var failure: Failure?
    var names: [String: Int64] = [:]
    private(set) var asked = 0

    func friends() async throws(Failure) -> [Person] { try answer(people) }
    func groups() async throws(Failure) -> [Person] { try answer(people.map { Person(id: -$0.id, name: $0.name) }) }
    func owner(named screenName: String) async throws(Failure) -> Int64? { try answer(names[screenName]) }

    private func answer<Value>(_ value: Value) throws(Failure) -> Value {
        asked += 1
        if let failure { throw failure }
        return value
    }
}

@Suite("Friends and groups", .timeLimit(.minutes(1)))
struct PeopleServiceTests {
    let rig = Rig()
    let source = ScriptedPeople()
    let service: PeopleService

    init() {
        service = PeopleService(
            source: source, store: rig.library, library: rig.librarian, account: rig.account)
        source.people = [
            Person(id: 5, name: "A", screenName: "aaa"),
            Person(id: 6, name: "B", canListen: false, obstacle: "deleted"),
        ]
    }

    @Test("Without network and in offline mode they are listed as they were read last, each kind by itself")
    func kept() async throws {
        #expect(try await service.people(.friends) == source.people)
        source.failure = .noNetwork
        #expect(try await service.people(.friends).map(\.id) == [5, 6])
        await #expect(throws: Failure.self) { _ = try await service.people(.groups) }
        rig.connectivity.setOfflineMode(true)
        let before = source.asked
        #expect(try await service.people(.friends).count == 2 && source.asked == before)
        try await rig.library.setAccount(Account(id: 99, name: "Other", tracks: 0, login: "token"))
    }

    @Test("A refusal is no lack of network")
    func refusal() async throws {
        _ = try await service.people(.friends)
        source.failure = Failure(.denied, "no")
        await #expect(throws: Failure.self) { _ = try await service.people(.friends) }
        try await rig.account.logout()
        let signedOut = await #expect(throws: Failure.self) { _ = try await service.people(.friends) }
        #expect(signedOut?.code == .notSignedIn)
    }

    @Test("A name is asked of VK, that of somebody who was listed is known")
    func names() async throws {
        source.names["durov"] = 1
        #expect(try await service.owner(named: "durov") == 1)
        let failure = await #expect(throws: Failure.self) { _ = try await service.owner(named: "nobody") }
        #expect(failure?.code == .notFound)
        _ = try await service.people(.friends)
        let before = source.asked
        #expect(try await service.owner(named: "AAA") == 5 && source.asked == before)
    }
}
