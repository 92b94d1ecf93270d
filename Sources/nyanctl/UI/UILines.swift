import NyanCore
import NyanWire
import NyanWords

/// The tabs.
@MainActor enum UITabLine {
    static func parts(_ state: UIState, _ columns: Int) -> [UIPart] {
        let tabs = UITab.allCases
        let long = tabs.map { "\($0.rawValue + 1) " + name($0) + count(state, $0) }
        let short = tabs.map { name($0) }
        // The open one stands in brackets, so that it is known without colours.
        if width(long) + 3 * tabs.count <= columns {
            return zip(tabs, long).flatMap { tab, text in
                let isOpen = tab == state.tab
                return [UIPart(isOpen ? "[\(text)]" : " \(text) ", isOpen ? .strong : .plain, .tab(tab)), UIPart(" ")]
            }
        }
        // In a narrow window the brackets stand where the gaps are, and the longest names are cut.
        let isAtEdge = state.tab == tabs.first || state.tab == tabs.last
        let room = columns - (tabs.count - 1) - (isAtEdge ? 1 : 0)
        let names = shortened(short, keeping: state.tab.rawValue, to: room)
        var parts: [UIPart] = []
        for (tab, text) in zip(tabs, names) {
            let isOpen = tab == state.tab
            let gap = isOpen ? "[" : tab.rawValue == state.tab.rawValue + 1 ? "]" : tab.rawValue == 0 ? "" : " "
            parts.append(UIPart(gap, isOpen || gap == "]" ? .strong : .plain))
            parts.append(UIPart(text, isOpen ? .strong : .plain, .tab(tab)))
        }
        return parts + (state.tab == tabs.last ? [UIPart("]", .strong)] : [])
    }

    /// Where a name stands in a sentence Russian quotes it; a tab bears it plainly.
    private static func name(_ tab: UITab) -> String {
        Words.said(tab.title).filter { $0 != "«" && $0 != "»" }
    }

    /// The names in so many columns, the open tab's whole.
    private static func shortened(_ names: [String], keeping open: Int, to room: Int) -> [String] {
        var widths = names.map { DisplayText.columns($0) }
        while widths.reduce(0, +) > room {
            let others = widths.indices.filter { $0 != open && widths[$0] > 2 }
            guard let longest = others.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[longest] -= 1
        }
        return zip(names, widths).map { DisplayText.cut($0, to: $1) }
    }

    /// How many downloads are on their way.
    private static func count(_ state: UIState, _ tab: UITab) -> String {
        guard tab == .downloads else { return "" }
        let count = state.downloads.all.count { $0.state == .running || $0.state == .waiting }
        return count > 0 ? " \(count)" : ""
    }

    private static func width(_ texts: [String]) -> Int { texts.reduce(0) { $0 + DisplayText.columns($1) } }
}

/// The line above the list: what it holds, and what is unusual.
@MainActor enum UIHeadLine {
    static func parts(_ state: UIState, _ columns: Int, _ now: Double) -> [UIPart] {
        let left = DisplayText.escaped(Words.said(words(state)))
        let right = facts(state, now).map { Words.said($0) }.joined(separator: ", ")
        return UIPart.spread(
            [UIPart(" " + left, .faint)], right.isEmpty ? [] : [UIPart("  " + right + " ", .alarm)], columns)
    }

    private static func words(_ state: UIState) -> String {
        let list = state.list
        if !list.filter.isEmpty { return "\(list.count) of \(list.rows.count) match “\(list.filter)”" }
        if state.tab == .profile, let syncing = state.syncing {
            return syncing.total > 0 ? "reading \(syncing.read) of \(syncing.total)" : "reading the profile…"
        }
        if state.tab == .search { return search(state) }
        if state.tab == .downloads { return list.rows.isEmpty ? "" : DownloadText.summary(state.downloads.all) }
        guard list.isKnown else { return state.isLoading(state.tab) ? "reading the list…" : "" }
        return list.rows.isEmpty ? "" : "\(list.rows.count) track\(list.rows.count == 1 ? "" : "s")"
    }

    /// What was asked is told apart from what was answered.
    private static func search(_ state: UIState) -> String {
        if state.isSearching { return "searching “\(state.query)”…" }
        let count = state.list.rows.count
        guard state.isSearchFailed else { return state.answeredQuery.map { "\(count) found for “\($0)”" } ?? "" }
        guard let answered = state.answeredQuery else { return "the search for “\(state.query)” failed" }
        return "the search for “\(state.query)” failed; \(count) found for “\(answered)”"
    }

    private static func facts(_ state: UIState, _ now: Double) -> [String] {
        guard let status = state.status, status.state != .absent else { return [] }
        var facts: [String] = []
        switch status.sleepTimer {
        case .remaining: facts.append("sleep \(TimeText.text((state.sleepsIn(at: now) ?? 0).rounded(.up)))")
        case .endOfTrack: facts.append("sleep track")
        case nil: break
        }
        if !status.isSignedIn { facts.append("not signed in") }
        if status.isOfflineMode { facts.append("offline mode") } else if !status.isOnline { facts.append("no network") }
        if status.output == .missing { facts.append("no sound output: playing silently") }
        if status.output == .lost { facts.append("the sound output is gone") }
        return facts
    }

    /// What an empty list says; nil while nobody knows whether it is empty.
    static func empty(_ state: UIState) -> String? {
        guard state.list.count == 0, state.isPresent else { return nil }
        if !state.list.filter.isEmpty { return Words.said("nothing matches") }
        guard state.list.isKnown || state.tab == .search || state.tab == .downloads else { return nil }
        switch state.tab {
        case .profile:
            return Words.said(
                state.status?.isSignedIn == true
                    ? "no tracks of the profile are known: y reads it"
                    : "not signed in: `nyanctl login` explains how")
        case .music: return Words.said("nothing was downloaded yet")
        case .search:
            if state.isSearching { return nil }
            if state.isSearchFailed { return Words.said("VK gave no answer: y asks again") }
            return Words.said(
                state.answeredQuery == nil ? "press / and type what to look for" : "nothing was found")
        case .downloads: return Words.said("there are no downloads")
        case .queue: return Words.said("the queue is empty")
        }
    }
}

/// The last line: what is typed or asked, what came of something, what is wrong, or a few keys.
@MainActor enum UINewsLine {
    static func parts(_ state: UIState, _ columns: Int) -> [UIPart] {
        if let typing = state.typing {
            let (before, after) = typed(typing, columns)
            return [UIPart(before, .strong), UIPart(after, .strong)]
        }
        if let question = state.question {
            let answers = " " + Words.said("(y/n)")
            return [UIPart(" " + asked(question, columns - 1 - DisplayText.columns(answers)) + answers, .alarm)]
        }
        if state.menu != nil { return [UIPart(" " + Words.said("Enter does it, Esc closes"), .faint)] }
        if let notice = state.notice {
            return [UIPart(" " + DisplayText.escaped(Words.said(notice.text)), notice.isAlarm ? .alarm : .strong)]
        }
        if let problem = state.status?.problem {
            return [UIPart(" " + Words.said("problem: \(DisplayText.escaped(problem.message))"), .alarm)]
        }
        return hints(columns, in: state.tab)
    }

    /// A long title is cut sooner than the question, and where nothing of it would be left the question does without:
    /// what is to be done, and to what, is always seen.
    private static func asked(_ question: UIState.Question, _ room: Int) -> String {
        var question = question
        question.title = DisplayText.escaped(question.title)
        let words = Words.said(question.sentence)
        let over = DisplayText.columns(words) - room
        guard over > 0 else { return words }
        let left = DisplayText.columns(question.title) - over
        guard left >= leastTitle else { return DisplayText.cut(Words.said(question.short), to: max(0, room)) }
        question.title = DisplayText.cut(question.title, to: left)
        return Words.said(question.sentence)
    }

    private static let leastTitle = 5

    /// A few keys, as many as there is room for.
    private static func hints(_ columns: Int, in tab: UITab) -> [UIPart] {
        let hints: [(String, String, UIDeed)] = [
            ("?", "help", .help), ("/", tab == .search ? "search" : "filter", .filter), ("Enter", "play", .play),
            ("d", "download", .download),
            ("q", "leave", .leave),
        ]
        var left = columns
        var parts: [UIPart] = []
        for (key, word, deed) in hints {
            let part = UIPart("\(key) \(Words.said(word)) ", .faint, .deed(deed))
            left -= part.columns + 1
            guard left >= 0 else { break }
            parts += [UIPart(" "), part]
        }
        return parts
    }

    /// What stands before and behind the cursor; of a long line the part around the cursor.
    static func typed(_ typing: UIState.Typing, _ columns: Int) -> (before: String, after: String) {
        let prompt =
            switch typing.purpose {
            case .filter: "Filter: "
            case .search: "Search VK: "
            case .folder: "Copy to folder: "
            }
        let head = " " + Words.said(prompt)
        let room = max(1, columns - DisplayText.columns(head) - 1)
        // Signs that turn or hide text are shown by what they are called, which takes room.
        var seen = typing.line.head.map { DisplayText.escaped(String($0)) }[...]
        var taken = seen.reduce(0) { $0 + DisplayText.columns($1) }
        while taken > room, let first = seen.popFirst() { taken -= DisplayText.columns(first) }
        let before = head + seen.joined()
        let left = max(0, columns - DisplayText.columns(before))
        return (before, DisplayText.cut(DisplayText.escaped(typing.line.tail), to: left))
    }
}
