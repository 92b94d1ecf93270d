// The file changed at the server while it was played: nothing is joined to what was heard (field-issues.md C3).
extension PlaybackMachine {
    /// So many files for one entry are as good as none.
    private static var mostRenewals: Int { 3 }

    /// Starts over with the new file at the same second; paused it waits there for `play`.
    mutating func soundBecameAnother(_ load: LoadNumber) {
        if load == upcoming?.number {
            dropUpcoming()
            return reconsiderNext()
        }
        guard let sounding, load == sounding.number, sounding.phase != .preparing else { return }
        guard sounding.renewals < Self.mostRenewals else {
            return loadFailed(load, Failure(.badAnswer, "The server gives another file every time."))
        }
        guard state.status == .playing else { return parkPaused() }
        start(at: position(at: now))
        self.sounding?.renewals = sounding.renewals + 1
    }
}
