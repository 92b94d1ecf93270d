public import NyanCore
import NyanDBus

/// Which of the listener's lists the queue was filled from (mpris.md §7 ActivePlaylist), also after a restart.
///
/// True as long as one of the entries that came with the list is in the queue: what is added, moved or taken out besides
/// changes nothing. Entry numbers are never used again, so they say it for certain.
public final class QueueOrigin {
    /// A list, and the numbers of the entries it became.
    private struct Filling: Equatable {
        var list: MusicList
        var entries: ClosedRange<EntryID>

        var text: String { "\(list) \(entries.lowerBound) \(entries.upperBound)" }

        init(_ list: MusicList, _ entries: ClosedRange<EntryID>) { (self.list, self.entries) = (list, entries) }

        init?(_ text: String) {
            let words = text.split(separator: " ")
            guard words.count == 3, let list = MusicList(words[0]), let first = UInt64(words[1]),
                let last = UInt64(words[2]), first <= last
            else { return nil }
            self.init(list, EntryID(first)...EntryID(last))
        }
    }

    private static let note = "queue.origin"

    private let notes: any LibraryStore
    private let hub: EventHub
    private var filling: Filling?
    private var writing: Task<Void, Never>?

    public init(notes: any LibraryStore, hub: EventHub) {
        self.notes = notes
        self.hub = hub
    }

    /// Reads what was true when the program ended; what was filled since counts more.
    public func restore() async {
        guard let text = (try? await notes.note(Self.note)) ?? nil, filling == nil else { return }
        filling = Filling(text)
        hub.changed(.queue)
    }

    /// The queue is this list's from now on: `entries` are all it became.
    public func filled(from list: MusicList, entries: [Entry]) {
        guard let first = entries.first?.id, let last = entries.last?.id, first <= last else { return }
        set(Filling(list, first...last))
    }

    /// The list the queue was filled from, if anything of it is left.
    public func list(in state: PlaybackState) -> MusicList? {
        guard let filling else { return nil }
        // Mostly the current entry is one of them; else the queue is looked through, which ends at the first.
        let isLeft =
            state.current.map(filling.entries.contains) ?? false
            || state.entries.contains { filling.entries.contains($0.id) }
        if !isLeft { set(nil) }
        return isLeft ? filling.list : nil
    }

    /// What was set last is what is written last.
    private func set(_ next: Filling?) {
        guard next != filling else { return }
        filling = next
        hub.changed(.queue)
        let before = writing
        writing = Task.onMain { [notes] in
            await before?.value
            // Lost with a full disk at most, and then nothing is claimed.
            try? await notes.setNote(Self.note, next?.text)
        }
    }
}
