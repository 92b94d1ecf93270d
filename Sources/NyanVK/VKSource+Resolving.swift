public import NyanCore

extension VKSource {
    /// Ids one call asks for at most (vk-api.md §2.2 `getById`).
    static let batchSize = 100
    /// Refused batches before anything was accepted, after which the fault is not one malformed id's: halving a
    /// hundred down to its first id takes eight.
    private static let maxRefusals = 10

    public func resolve(_ references: [TrackReference]) async throws(Failure) -> [TrackID: ResolvedTrack] {
        var pending = Self.batches(of: references)
        var resolved: [TrackID: ResolvedTrack] = [:]
        var refusals = 0
        var hasAccepted = false
        while let batch = pending.popLast() {
            do {
                let found = try await describe(batch)
                resolved.merge(found) { _, new in new }
                hasAccepted = true
            } catch {
                // One malformed id fails the whole batch (vk-api.md §2.2): halve until it stands alone, then leave it.
                guard error.vkCode == 100 else { throw error.failure }
                refusals += 1
                if !hasAccepted, refusals >= Self.maxRefusals { throw error.failure }
                if batch.count > 1 {
                    let middle = batch.count / 2
                    pending += [Array(batch[middle...]), Array(batch[..<middle])]
                }
            }
        }
        return resolved
    }

    /// The batches in reverse order, each id once, with its key if any mention of it has one.
    private static func batches(of references: [TrackReference]) -> [[TrackReference]] {
        var places: [TrackID: Int] = [:]
        var wanted: [TrackReference] = []
        for reference in references {
            if let place = places[reference.id] {
                wanted[place].accessKey = wanted[place].accessKey ?? reference.accessKey
            } else {
                places[reference.id] = wanted.count
                wanted.append(reference)
            }
        }
        return stride(from: 0, to: wanted.count, by: batchSize)
            .map { Array(wanted[$0..<min($0 + batchSize, wanted.count)]) }
            .reversed()
    }

    /// One call. Answers are matched by id: VK leaves out what it does not know and promises no order.
    private func describe(_ batch: [TrackReference]) async throws(Reaction) -> [TrackID: ResolvedTrack] {
        let names = batch.map(\.description).joined(separator: ",")
        let list: VKAudioList = try await callSignedIn("audio.getById", [(name: "audios", value: names)])
        if Placeholder.isWhole(list.audios, count: nil) { throw .final(Placeholder.failure) }
        let asked = Dictionary(batch.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var found: [TrackID: ResolvedTrack] = [:]
        for audio in list.audios {
            guard let reference = asked[audio.trackID] else { continue }
            var description = audio.resolved
            // VK need not repeat the key it was asked with.
            description.track.accessKey = description.track.accessKey ?? reference.accessKey
            found[audio.trackID] = description
        }
        return found
    }
}
