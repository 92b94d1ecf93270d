public import NyanCore

/// What a person says about downloads, for whoever remembers it.
public enum DownloadWish: Sendable, Equatable {
    /// Asked for by the person.
    case wanted([TrackID])
    /// Cancelled or deleted by the person.
    case unwanted([TrackID])
}

/// Who asks: a task that works for a keep rule says so.
enum DownloadAsker {
    @TaskLocal static var isRule = false
}

// Wishes of rules, which are nobody's wish for a single track.
extension DownloadService {
    /// Does something with downloads in a rule's name: it is not remembered as the person's wish.
    func byRule<Value>(_ work: () async throws(Failure) -> Value) async throws(Failure) -> Value {
        let result = await DownloadAsker.$isRule.withValue(true) { () async -> Result<Value, Failure> in
            do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Queues what was in a list that was lost: whose wish it was is not known any more.
    public func addAgain(_ tracks: [Track]) async throws(Failure) -> Int {
        try await byRule { () async throws(Failure) in try await add(tracks) }
    }

    /// Tells who remembers it; durable when it returns. Told before it is carried out, so that no kill comes between.
    func tell(_ wish: DownloadWish) async throws(Failure) {
        if !DownloadAsker.isRule { try await onWish(wish) }
    }

    /// Tells before it is carried out. On a full disk nothing can be written before what is taken away has made room: then
    /// it is owed, and told afterwards.
    func tellFirst(_ wish: DownloadWish) async -> DownloadWish? {
        do throws(Failure) {
            try await tell(wish)
            return nil
        } catch {
            return wish
        }
    }

    /// The list by id, once what an earlier run left is in it.
    func byID() async -> [TrackID: Download] {
        await ready()
        return Dictionary(list.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Cancels those of these that are in the list and not done, in nobody's name.
    /// - Returns: those.
    func cancelQuietly(_ ids: [TrackID]) async throws(Failure) -> [TrackID] {
        let known = ids.filter { machine[$0].map { $0.state != .done } ?? false }
        guard !known.isEmpty else { return [] }
        handle(.cancel(.these(known)))
        try await saved()
        return known
    }

    /// A rule tries these again: the same failure once more is no news to anybody.
    func expect(_ failed: [Download]) {
        for row in failed { expectedFailures[row.id] = row.failure?.code }
    }

    /// Finished files were taken away by hand: their rows stand for nothing.
    public func forgetGone(_ ids: [TrackID]) async {
        handle(.forget(ids))
        try? await saved()
    }
}
