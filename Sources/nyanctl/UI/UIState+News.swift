import NyanCore
import NyanDBus
import NyanWire

/// What the daemon tells.
extension UIState {
    mutating func hear(_ event: UIEvent, at now: Double) -> [UIEffect] {
        switch event {
        case .status(let fresh): return take(fresh, at: now)
        case .absent:
            status = StatusReport(state: .absent)
            forgetQuestions()
        case .downloads(let rows):
            downloads.set(rows)
            listDownloads()
        case .downloadsChanged(let rows): return take(rows)
        case .downloadsRemoved(let ids): return forget(ids)
        case .listed(let tab, let rows):
            if tab == .profile { noteOwner(rows) }
            self[tab].set(rows, height: height)
            return loaded(tab)
        case .indexed(let tab, let index): self[tab].take(index)
        case .notListed(let tab, let failure):
            complain(failure)
            if tab == .profile, case .refused(let reason) = failure, reason.code == .notSignedIn { leaveAccount() }
            notLoaded(tab)
        case .found(let text, let rows):
            guard text == query else { break }
            isSearching = false
            isSearchFailed = false
            if answeredQuery != text { self[.search] = UIList() }
            answeredQuery = text
            self[.search].set(rows, height: height)
        case .notFound(let text, let failure):
            guard text == query else { break }
            isSearching = false
            isSearchFailed = true
            complain(failure)
        case .moving(let ids): downloads.forgetSpeeds(except: ids)
        case .folderIsNew(let word, let path):
            question = Question(deed: .makeFolder, title: path, effects: [.call(.export(word, into: path))])
        case .changed(let tab): return doubt(tab)
        case .answered(let call, let outcome): return answered(call, outcome)
        case .trouble(let ending): complain(ending)
        case .syncing(let read, let total):
            let isOver = total == 0
            syncing = isOver ? nil : (read, total)
            if isOver { return doubt(.profile) }
        case .screen, .tick: break
        }
        return []
    }

    private mutating func take(_ fresh: StatusReport, at now: Double) -> [UIEffect] {
        let before = status
        status = fresh
        asOf = now
        guard let before, before.state != .absent else {
            // What went wrong without a daemon is over.
            if before != nil, notice?.isAlarm == true { notice = nil }
            forgetQuestions()
            return want(tab)
        }
        var effects: [UIEffect] = []
        if before.queueLength != fresh.queueLength || before.shuffle != fresh.shuffle { effects += doubt(.queue) }
        if before.isSignedIn, !fresh.isSignedIn { leaveAccount() }
        if before.isSignedIn != fresh.isSignedIn { effects += doubt(.profile) }
        return effects
    }

    private mutating func take(_ rows: [DownloadReport]) -> [UIEffect] {
        var isOther = false
        var isDone = false
        for row in rows {
            let before = downloads[row.id]?.state
            isOther = isOther || before != row.state
            isDone = isDone || row.state == .done && before != .done
            if row.state == .failed, before != .failed, let reason = row.problem?.message {
                notice = Notice(text: "failed: \(DownloadText.name(row)): \(reason)", isAlarm: true)
            }
        }
        downloads.take(rows)
        if isOther { listDownloads() }
        return isDone ? doubt(.music) : []
    }

    private mutating func forget(_ ids: [TrackID]) -> [UIEffect] {
        let hadCopy = ids.contains { downloads[$0]?.state == .done }
        downloads.remove(ids)
        listDownloads()
        // The file is gone, and with it the mark in every list.
        return hadCopy ? [UITab.music, .profile, .queue].flatMap { doubt($0) } : []
    }

    /// What is on its way stands above what is done. Nobody looks while another tab is open.
    mutating func listDownloads() {
        guard tab == .downloads else { return }
        let order: [Download.State] = [.running, .waiting, .paused, .failed, .done]
        let rows = order.flatMap { state in downloads.all.filter { $0.state == state } }
        self[.downloads].set(
            rows.map { row in
                let title = row.artist.isEmpty && row.title.isEmpty ? row.id.description : row.title
                return ListedTrack(track: Track(id: row.id, artist: row.artist, title: title))
            }, height: height)
    }

    private mutating func answered(
        _ call: UICall, _ outcome: Result<[BusValue], ClientFailure>
    ) -> [UIEffect] {
        if call.door == .library, call.member == "Sync" { syncing = nil }
        switch outcome {
        case .failure(let failure):
            complain(failure)
            if call.door == .profile { takeBack(call) }
            // What is known of it is there all the same.
            return call.door == .library && call.member == "Sync" ? doubt(.profile) : []
        case .success(let values):
            notice = UIAnswer.notice(of: call, values) ?? notice
            if call.door == .profile { mark(call, values) }
            return call.changes.flatMap { doubt($0) }
        }
    }

    mutating func complain(_ failure: ClientFailure) {
        // That nobody is there is said all the time.
        if failure == .absent, status?.state == .absent { return }
        complain(Daemon.ending(failure))
    }

    private mutating func complain(_ ending: Ending) {
        guard case .failed(_, let message, _) = ending else { return }
        notice = Notice(text: message, isAlarm: true)
    }
}
