public import NyanCore
public import NyanDBus

/// What a sync changed, as it travels behind the numbers of `Sync`: kind, artist and title of the first changes, and how
/// many more there were. Kinds a reader does not know are left out.
public enum SyncCoding {
    public nonisolated static let changesSignature: Signature = "a(sss)"
    private nonisolated static let changeSignature: Signature = "(sss)"

    public nonisolated static func values(_ news: SyncNews) -> [BusValue] {
        let changes = news.changes.map { change -> BusValue in
            .structure([.string(change.kind.rawValue), .string(change.artist), .string(change.title)])
        }
        return [.array(changes, of: changeSignature), .uint32(UInt32(clamping: news.more))]
    }

    /// nil where the values have another shape.
    public nonisolated static func news(_ values: some Collection<BusValue>) -> SyncNews? {
        guard values.count == 2, let elements = values.first?.elements, let more = values.dropFirst().first?.integer
        else { return nil }
        let changes = elements.compactMap { element -> SyncNews.Change? in
            guard let fields = element.fields, fields.count == 3,
                let kind = fields[0].string.flatMap(SyncNews.Kind.init), let artist = fields[1].string,
                let title = fields[2].string
            else { return nil }
            return SyncNews.Change(kind, artist: artist, title: title)
        }
        return SyncNews(changes: changes, more: more)
    }
}
