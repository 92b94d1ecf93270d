import NyanCore
import NyanDBus
import NyanWire

/// What became of the profile.
extension UIState {
    /// What VK found is not read again: the mark of what was added or taken away is set here.
    mutating func mark(_ call: UICall, _ values: [BusValue]) {
        let word = call.arguments.first?.strings?.first
        let id = word.flatMap { TrackReference($0) }?.id
        switch call.member {
        case "Add", "Like":
            // What was refused is not there.
            guard let report = AddReport(values), !(report.added + report.present).isEmpty else { return }
            if let id = call.member == "Like" ? liked : id { self[.search].mark(id, isAdded: true) }
        case "Remove":
            guard let id, let removed = values.first?.strings?.first else { return }
            lastRemoved = Removal(word: removed, id: id)
            self[.search].mark(id, isAdded: false)
        case "Restore":
            guard let undone = undoing, call.arguments.first?.string == undone.word else { return }
            undoing = nil
            self[.search].mark(undone.id, isAdded: true)
        default: break
        }
    }

    /// What was not put back can be put back still.
    mutating func takeBack(_ call: UICall) {
        guard call.member == "Restore", let undoing, call.arguments.first?.string == undoing.word else { return }
        lastRemoved = lastRemoved ?? undoing
        self.undoing = nil
    }

    /// A login over another account is not told of; whose the profile is, its rows tell.
    mutating func noteOwner(_ rows: [ListedTrack]) {
        guard let first = rows.first?.track.id.owner else { return }
        if let owner, !rows.contains(where: { $0.track.id.owner == owner }) { leaveAccount() }
        owner = first
    }

    /// Nothing of an account is left to look at, or to act upon, for the next one.
    mutating func leaveAccount() {
        for tab in [UITab.profile, .search] { self[tab] = UIList() }
        // An empty list, not one that nobody knows.
        self[.profile].isKnown = true
        (query, answeredQuery, isSearching, isSearchFailed) = ("", nil, false, false)
        (lastRemoved, undoing, liked, owner, syncing) = (nil, nil, nil, nil, nil)
        if question?.deed == .remove { question = nil }
    }
}
