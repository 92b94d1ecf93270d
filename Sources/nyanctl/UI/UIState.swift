import NyanCore
import NyanDBus
import NyanWire

/// Everything that `nyanctl ui` shows and knows: a state machine that takes what happens and says what is to be done.
/// A value without I/O. Moments are seconds of a clock that stands still while the machine sleeps.
struct UIState {
    /// A line that tells what came of something, in English.
    struct Notice: Equatable {
        var text: String
        var isAlarm = false
    }

    /// What is done only after a yes.
    struct Question {
        enum Deed { case remove, deleteFile, clearQueue, makeFolder }

        var deed: Deed
        /// Of the track or the folder in question; may be cut where there is little room.
        var title = ""
        var effects: [UIEffect]

        /// In English.
        var sentence: String {
            switch deed {
            case .remove: "Remove “\(title)” from the profile?"
            case .deleteFile: "Delete the file of “\(title)”?"
            case .clearQueue: "Clear the queue?"
            case .makeFolder: "There is no folder “\(title)”. Make it?"
            }
        }

        /// In English, of at most 13 columns: where there is no room for a title.
        var short: String {
            switch deed {
            case .remove: "Remove it?"
            case .deleteFile: "Delete file?"
            case .clearQueue: "Clear queue?"
            case .makeFolder: "Make folder?"
            }
        }
    }

    /// What is being typed.
    struct Typing {
        enum Purpose: Equatable {
            case filter, search
            /// The folder to copy this track's file to.
            case folder(TrackReference)
        }

        var purpose: Purpose
        var line: LineInput
    }

    /// What was taken out of the profile.
    struct Removal: Equatable {
        /// The profile's own id of it.
        var word: String
        /// As the list had it.
        var id: TrackID
    }

    var size: Size
    var tab = UITab.profile
    private var lists = UITab.allCases.map { _ in UIList() }
    /// nil = the daemon was not heard of yet.
    var status: StatusReport?
    /// When `status.position` was true.
    var asOf = 0.0
    var downloads = DownloadRows()
    /// Listings that were asked for, and those that may be others by now.
    private var loading: Set<UITab> = []
    private var stale: Set<UITab> = []
    var typing: Typing?
    /// The list of what can be done with the selected row; nil = it is closed.
    var menu: UIMenu?
    /// A click closed what was over the list: the second one of a double click is not meant for the list.
    var isClickSpent = false
    /// The last letter that was pressed came from a Russian keyboard.
    var isRussianKeyboard = false
    var question: Question?
    var notice: Notice?
    /// The first row of the help that is seen; nil = it is closed.
    var helpTop: Int?
    /// What VK was asked last, and whether its answer is awaited, or did not come.
    var query = ""
    var isSearching = false
    var isSearchFailed = false
    /// What the search tab's rows are the answer to; nil = to nothing yet.
    var answeredQuery: String?
    /// While the profile is read: how many of how many.
    var syncing: (read: Int, total: Int)?
    /// The profile's track that was taken away last, and that which is being put back.
    var lastRemoved: Removal?
    var undoing: Removal?
    /// What is being added by `like`.
    var liked: TrackID?
    /// Whose profile was listed last.
    var owner: Int64?
    /// Where something was copied to last, as it was typed.
    var folder = ""

    init(size: Size) { self.size = size }

    subscript(tab: UITab) -> UIList {
        get { lists[tab.rawValue] }
        set { lists[tab.rawValue] = newValue }
    }

    var list: UIList {
        get { self[tab] }
        set { self[tab] = newValue }
    }

    var layout: UILayout { UILayout(size) }
    var height: Int { layout.list.count }
    var isPresent: Bool { status.map { $0.state != .absent } ?? false }
    func isLoading(_ tab: UITab) -> Bool { tab == .search ? isSearching : loading.contains(tab) }

    /// Takes one event in.
    mutating func handle(_ event: UIEvent, at now: Double) -> [UIEffect] {
        switch event {
        case .screen(.key(let key)): return press(key, at: now)
        case .screen(.mouse(let deed, let place)): return point(deed, at: place, now)
        case .screen(.pasted(let text)):
            paste(text)
            return []
        case .screen(.resized(let fresh)):
            size = fresh
            if layout.shape == .tooSmall {
                // What cannot be seen cannot be answered.
                question = nil
                menu = nil
            }
            helpTop = helpTop.map { UIHelp.clamped($0, size) }
            for tab in UITab.allCases { self[tab].settle(height) }
            return []
        case .screen(.gone): return [.quit]
        case .tick: return []
        default: return hear(event, at: now)
        }
    }

    /// Whether a row is what plays: in the queue by its place, elsewhere by its track.
    func isCurrent(_ row: ListedTrack, number: Int, in tab: UITab) -> Bool {
        guard let status, let track = status.track else { return false }
        return tab == .queue ? status.queuePosition == number + 1 : row.track.id == track.track.id
    }

    func isDownloaded(_ row: ListedTrack) -> Bool {
        row.copyPath != nil || downloads[row.track.id]?.state == .done
    }

    mutating func open(_ fresh: UITab) -> [UIEffect] {
        tab = fresh
        if fresh == .downloads { listDownloads() }
        list.settle(height)
        // Not everything that changes a listing is told of.
        return fresh.isAskedFor && !isLoading(fresh) ? want(fresh) : []
    }

    /// Asks for a listing; one that is on its way already is asked for once more when it has come.
    mutating func want(_ tab: UITab) -> [UIEffect] {
        guard tab.isAskedFor, isPresent, loading.insert(tab).inserted else {
            stale.insert(tab)
            return []
        }
        stale.remove(tab)
        return [.load(tab)]
    }

    /// A listing may be another now: the open one is read again at once, the others when they are opened.
    mutating func doubt(_ tab: UITab) -> [UIEffect] {
        if tab == self.tab { return want(tab) }
        stale.insert(tab)
        return []
    }

    /// A listing does not come. What failed once would fail for ever: it is asked for again when the tab is opened, or
    /// something changes.
    mutating func notLoaded(_ tab: UITab) {
        loading.remove(tab)
        stale.insert(tab)
    }

    /// A listing has come.
    mutating func loaded(_ tab: UITab) -> [UIEffect] {
        loading.remove(tab)
        return stale.contains(tab) && tab == self.tab ? want(tab) : []
    }

    /// Nothing that was asked will be answered, and everything has to be asked again.
    mutating func forgetQuestions() {
        loading = []
        stale = Set(UITab.allCases)
        isSearchFailed = isSearchFailed || isSearching
        isSearching = false
        syncing = nil
    }
}
