import FoundationEssentials
public import NyanCore

/// The signed-in person's friends and groups: asked of VK when they are listed, and kept for when it cannot be.
public final class PeopleService {
    public enum Kind: String, Sendable { case friends, groups }

    /// What is kept, and whose it is.
    private struct Kept: Codable {
        var account: Int64
        var people: [Person]
    }

    private let source: any PeopleSource
    private let store: any LibraryStore
    private let library: LibraryService
    let account: AccountService

    public init(
        source: any PeopleSource, store: any LibraryStore, library: LibraryService, account: AccountService
    ) {
        self.source = source
        self.store = store
        self.library = library
        self.account = account
    }

    /// From VK; in offline mode and without network as they were read last.
    public func people(_ kind: Kind) async throws(Failure) -> [Person] {
        await account.ready()
        try account.requireAccount()
        do throws(Failure) {
            let people = try await library.calling { [source] () throws(Failure) in
                switch kind {
                case .friends: try await source.friends()
                case .groups: try await source.groups()
                }
            }
            await keep(people, kind)
            return people
        } catch {
            guard [.offline, .network, .timeout].contains(error.code), let kept = await kept(kind) else { throw error }
            return kept
        }
    }

    /// The owner behind a screen name.
    public func owner(named name: String) async throws(Failure) -> Int64 {
        if let known = await known(name) { return known }
        let found = try await library.calling { [source] () throws(Failure) in
            try await source.owner(named: name)
        }
        guard let found else { throw Failure(.notFound, "VK knows nobody by the name “\(name)”") }
        return found
    }

    /// A name of somebody who was listed; a question less, and an answer without network.
    private func known(_ name: String) async -> Int64? {
        for kind in [Kind.friends, .groups] {
            let match = await kept(kind)?.first { $0.screenName?.lowercased() == name.lowercased() }
            if let match { return match.id }
        }
        return nil
    }

    private static func note(_ kind: Kind) -> String { "people.\(kind.rawValue)" }

    private func keep(_ people: [Person], _ kind: Kind) async {
        guard let id = account.account?.id, let data = try? JSONEncoder().encode(Kept(account: id, people: people)),
            case let text = String(decoding: data, as: UTF8.self), text != (try? await store.note(Self.note(kind)))
        else { return }
        try? await store.setNote(Self.note(kind), text)
    }

    func kept(_ kind: Kind) async -> [Person]? {
        guard let text = try? await store.note(Self.note(kind)),
            let kept = try? JSONDecoder().decode(Kept.self, from: Data(text.utf8)), kept.account == account.account?.id
        else { return nil }
        return kept.people
    }
}
