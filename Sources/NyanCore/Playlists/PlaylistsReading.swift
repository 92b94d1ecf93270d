/// One page of a person's playlists.
public struct PlaylistPage: Sendable, Equatable {
    /// How many there are in all, as VK says.
    public var count: Int
    public var playlists: [Playlist]
    /// Items on the page before anything unreadable was left out: what `offset` moves by.
    public var itemCount: Int

    public init(count: Int, playlists: [Playlist], itemCount: Int) {
        self.count = count
        self.playlists = playlists
        self.itemCount = itemCount
    }
}

/// Reads the list of playlists page by page and asks twice before it believes that one of them is gone.
///
/// A value without I/O, like `SyncReading`: ask for `next`, give the page to `received`. Paging follows vk-api.md §2.2.
public struct PlaylistsReading: Sendable {
    public enum Step: Sendable, Equatable {
        case page(offset: Int, count: Int)
        /// The list as it is, each playlist once, in VK's order.
        case done([Playlist])
        case failed(Failure)
    }

    /// The greatest page every client is given (vk-api.md §2.3).
    static let pageSize = 100
    static let passLimit = 4
    /// Requests of one pass: VK's historic cap of 1,000 playlists at ten a page.
    static let requestLimit = 100

    public private(set) var next: Step
    private let stored: [PlaylistID]
    private var read: [Playlist] = []
    private var seen: Set<PlaylistID> = []
    private var count: Int?
    private var requests = 0
    private var passes = 1
    private var missedBefore: Set<PlaylistID>?

    /// - Parameter stored: what is known of the list.
    public init(stored: [PlaylistID]) {
        self.stored = stored
        next = .page(offset: 0, count: Self.pageSize)
    }

    /// Takes the answer to the page asked for; ignored once the reading is over.
    public mutating func received(_ page: PlaylistPage) {
        guard case .page(let offset, _) = next else { return }
        requests += 1
        if let count, count != page.count { return readAgain() }
        count = page.count
        for playlist in page.playlists where seen.insert(playlist.id).inserted { read.append(playlist) }
        let following = offset + (page.itemCount > 0 ? page.itemCount : Self.pageSize)
        guard following < page.count else { return judge() }
        guard requests < Self.requestLimit else {
            next = .failed(Failure(.badAnswer, "VK's list of playlists does not end"))
            return
        }
        next = .page(offset: following, count: Self.pageSize)
    }

    private mutating func judge() {
        let missed = Set(stored).subtracting(seen)
        if missed.isEmpty || missedBefore == missed {
            next = .done(read)
        } else {
            missedBefore = missed
            readAgain()
        }
    }

    private mutating func readAgain() {
        guard passes < Self.passLimit else {
            next = .failed(
                Failure(.badAnswer, "The list of playlists keeps changing while it is read", retry: .later))
            return
        }
        passes += 1
        (read, seen, count, requests) = ([], [], nil, 0)
        next = .page(offset: 0, count: Self.pageSize)
    }
}
