import NyanCore
import NyanWire
import NyanWords

/// The open list of what can be done with one row. A value.
struct UIMenu: Equatable {
    /// Whose it is.
    let id: TrackID
    let deeds: [UIDeed]
    /// The selected one.
    var place = 0

    mutating func select(_ wanted: Int) { place = max(0, min(wanted, deeds.count - 1)) }

    /// What a deed is called here; in English.
    static func name(_ deed: UIDeed) -> String {
        switch deed {
        case .export: "copy its file into a folder"
        case .remove: "take it out of this list"
        case .moveUp: "move it up"
        case .moveDown: "move it down"
        default: UIKeys.table.first { $0.deed == deed }?.summary ?? ""
        }
    }
}

/// The menu: a right click or `m` opens it, and it does what the keys do.
extension UIState {
    mutating func openMenu() {
        guard let row = list.selected else { return notice = Notice(text: "there is no row to do anything with") }
        typing = nil
        menu = UIMenu(id: row.track.id, deeds: deeds(for: row))
    }

    /// What makes sense for a row of this tab.
    private func deeds(for row: ListedTrack) -> [UIDeed] {
        let download = downloads[row.track.id]?.state
        let isComing = download == .running || download == .waiting || download == .paused
        let hasFile = isDownloaded(row)
        var deeds: [UIDeed] = [.play, .enqueueNext, .enqueue]
        if !hasFile, !isComing { deeds.append(.download) }
        if isComing { deeds.append(.hold) }
        if isComing || download == .failed { deeds.append(.cancel) }
        if hasFile { deeds += [.export, .deleteFile] }
        if tab != .profile, !row.isAdded || tab == .queue { deeds.append(.add) }
        if tab == .profile || tab == .queue || tab == .search && row.isAdded { deeds.append(.remove) }
        if tab == .queue, list.filter.isEmpty { deeds += [.moveUp, .moveDown] }
        return deeds
    }

    /// A key while it is open: it selects, does, or closes; the keys it shows do what they do without it.
    mutating func choose(_ key: ScreenKey) -> [UIEffect] {
        guard let open = menu else { return [] }
        let count = open.deeds.count
        if key == .enter { return done(open.place) }
        switch deed(of: key) {
        case .up: menu?.select((open.place + count - 1) % count)
        case .down: menu?.select((open.place + 1) % count)
        case .pageUp, .first: menu?.select(0)
        case .pageDown, .last: menu?.select(count - 1)
        case .repaint: return [.repaint]
        case .some(let deed):
            if let place = open.deeds.firstIndex(of: deed) { return done(place) }
            menu = nil
        case nil: menu = nil
        }
        return []
    }

    /// The mouse while it is open.
    mutating func choose(_ deed: MouseDeed, at place: Place, _ now: Double) -> [UIEffect] {
        guard let open = menu else { return [] }
        switch deed {
        case .wheelUp: menu?.select(open.place - 1)
        case .wheelDown: menu?.select(open.place + 1)
        case .click, .doubleClick:
            guard case .choice(let choice)? = UIView().touch(self, at: place, now) else { fallthrough }
            return done(choice)
        case .menu: menu = nil
        }
        return []
    }

    /// Does it, to the row that the menu was opened for and to no other.
    private mutating func done(_ place: Int) -> [UIEffect] {
        guard let open = menu, open.deeds.indices.contains(place) else { return [] }
        menu = nil
        guard list.selected?.track.id == open.id else {
            notice = Notice(text: "that row is gone")
            return []
        }
        return act(open.deeds[place])
    }
}

/// The menu's lines, in the place of the list.
@MainActor enum UIMenuLines {
    /// Whose deeds these are.
    static func title(_ state: UIState) -> [UIPart] {
        let name = state.list.selected.map { TrackTable.name($0.track) } ?? ""
        return [UIPart(" " + DisplayText.escaped(name), .strong)]
    }

    /// The part of it that is seen, with the selected one in it.
    static func window(_ menu: UIMenu, _ height: Int) -> Range<Int> {
        let first = max(0, min(menu.place - height / 2, menu.deeds.count - height))
        return first..<min(menu.deeds.count, first + max(0, height))
    }

    static func parts(_ menu: UIMenu, _ columns: Int, _ height: Int) -> [[UIPart]] {
        let keys = menu.deeds.map { key(of: $0) }
        let width = keys.reduce(0) { max($0, DisplayText.columns($1)) }
        var lines = window(menu, height).map { place in
            let isSelected = place == menu.place
            let head = "  " + DisplayText.fitted(keys[place], to: width) + "  "
            let name = Words.said(UIMenu.name(menu.deeds[place]))
            let room = max(0, columns - DisplayText.columns(head))
            return [
                UIPart(head, isSelected ? .selected : .strong, .choice(place)),
                UIPart(DisplayText.fitted(name, to: room), isSelected ? .selected : .plain, .choice(place)),
            ]
        }
        lines += Array(repeating: [], count: max(0, height - lines.count))
        return lines
    }

    private static func key(of deed: UIDeed) -> String {
        UIKeys.table.first { $0.deed == deed }?.keys.first.map(UIKeys.name) ?? ""
    }
}
