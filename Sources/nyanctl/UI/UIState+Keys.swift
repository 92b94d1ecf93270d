import NyanCore
import NyanDBus
import NyanWire

/// What the keys do.
extension UIState {
    mutating func press(_ key: ScreenKey, at now: Double) -> [UIEffect] {
        if case .text(let letter) = key, letter.isLetter {
            isRussianKeyboard = letter.unicodeScalars.contains { (0x400..<0x500).contains($0.value) }
        }
        guard layout.shape != .tooSmall else {
            // Nobody sees what the other keys would do.
            let deed = deed(of: key)
            return deed == .leave || deed == .repaint ? perform(deed ?? .repaint, at: now) : []
        }
        if question != nil { return answer(key) }
        if helpTop != nil { return turn(key) }
        if menu != nil { return choose(key) }
        if typing != nil { return type(key) }
        notice = nil
        return deed(of: key).map { perform($0, at: now) } ?? []
    }

    /// What a key means on the keyboard that is used now.
    func deed(of key: ScreenKey) -> UIDeed? {
        UIKeys.deed(of: key, onRussian: isRussianKeyboard)
    }

    /// Only a plain yes destroys anything; every other key leaves all as it is.
    private mutating func answer(_ key: ScreenKey) -> [UIEffect] {
        let effects = question?.effects ?? []
        guard [.text("y"), .text("Y"), .text("д"), .text("Д")].contains(key) else {
            refuse()
            return []
        }
        question = nil
        return effects
    }

    /// The question is answered by a no.
    mutating func refuse() {
        question = nil
        notice = Notice(text: "nothing was done")
    }

    /// The help is open: it scrolls, and any other key closes it.
    private mutating func turn(_ key: ScreenKey) -> [UIEffect] {
        let top = helpTop ?? 0
        let page = max(1, size.rows - 2)
        let last = UIHelp.last(size)
        switch deed(of: key) {
        case .up: helpTop = max(0, top - 1)
        case .down: helpTop = min(last, top + 1)
        case .pageUp: helpTop = max(0, top - page)
        case .pageDown, .toggle: helpTop = min(last, top + page)
        case .repaint: return [.repaint]
        default: helpTop = nil
        }
        return []
    }

    private mutating func type(_ key: ScreenKey) -> [UIEffect] {
        guard var typing else { return [] }
        switch key {
        case .enter: return entered()
        case .escape, .control("c"):
            self.typing = nil
            if typing.purpose == .filter { list.show(matching: "", height: height) }
        case .tab, .backTab:
            self.typing = nil
            return perform(key == .tab ? .nextTab : .previousTab, at: 0)
        case .up, .down, .pageUp, .pageDown:
            guard typing.purpose == .filter, let deed = UIKeys.deed(of: key) else { break }
            return perform(deed, at: 0)
        default:
            guard typing.line.press(key) else { break }
            self.typing = typing
            if typing.purpose == .filter { list.show(matching: typing.line.text, height: height) }
        }
        return []
    }

    /// The clipboard holds text, never commands: it means nothing where nothing is typed.
    mutating func paste(_ text: String) {
        guard var typing, layout.shape != .tooSmall, question == nil, helpTop == nil else { return }
        for character in text { _ = typing.line.press(.text(character)) }
        self.typing = typing
        if typing.purpose == .filter { list.show(matching: typing.line.text, height: height) }
    }

    private mutating func entered() -> [UIEffect] {
        guard let typing else { return [] }
        self.typing = nil
        let text = typing.line.text
        // A line of blanks is a change of mind.
        guard typing.purpose == .filter || text.contains(where: { !$0.isWhitespace }) else { return [] }
        switch typing.purpose {
        case .filter:
            list.choose()
            return []
        case .search: return search(text)
        case .folder(let reference):
            folder = text
            return [.export(reference.description, folder: text)]
        }
    }

    mutating func perform(_ deed: UIDeed, at now: Double) -> [UIEffect] {
        switch deed {
        case .up: list.select(list.place - 1, height)
        case .down: list.select(list.place + 1, height)
        case .pageUp: list.select(list.place - max(1, height), height)
        case .pageDown: list.select(list.place + max(1, height), height)
        case .first: list.select(0, height)
        case .last: list.select(list.count - 1, height)
        case .tab(let tab): return open(tab)
        case .nextTab: return open(neighbour(1))
        case .previousTab: return open(neighbour(-1))
        case .filter:
            typing =
                tab == .search
                ? Typing(purpose: .search, line: LineInput(query))
                : Typing(purpose: .filter, line: LineInput(list.filter))
        case .clear: list.show(matching: "", height: height)
        case .playing: findPlaying()
        case .help: helpTop = 0
        case .menu: openMenu()
        case .repaint: return [.repaint]
        case .leave: return [.quit]
        case .toggle, .stop, .next, .previous, .back, .forward, .louder, .quieter, .shuffle, .repeatMode, .like, .sync,
            .offline, .clearQueue, .undo:
            return command(deed)
        default: return act(deed)
        }
        return []
    }

    private func neighbour(_ step: Int) -> UITab {
        let count = UITab.allCases.count
        return UITab(rawValue: (tab.rawValue + step + count) % count) ?? .profile
    }

    private mutating func findPlaying() {
        guard let track = status?.track?.track else { return notice = Notice(text: "nothing plays") }
        if tab == .queue, let position = status?.queuePosition, list.filter.isEmpty {
            return list.select(position - 1, height)
        }
        if !list.select(track.id, height) { notice = Notice(text: "what plays is not in this list") }
    }
}
