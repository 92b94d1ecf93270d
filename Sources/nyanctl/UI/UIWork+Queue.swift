import NyanCore
import NyanDBus
import NyanWire

/// The queue.
extension UIWork {
    /// Read without a value per field: who plays the profile has ten thousand rows here too. Starts no daemon.
    private func readQueue(_ finish: @escaping (Result<[ListedTrack], ClientFailure>) -> Void) {
        let call = MethodCall(
            Names.nyand, Names.nyandPath, NyandInterfaces.queue.name, "List", timeout: .seconds(5), autoStart: false)
        client.connection.begin(call) { outcome in
            do throws(BusError) {
                var reader = MessageReader(try outcome.get())
                finish(.success(try TrackCoding.read(&reader)))
            } catch {
                let refused = FailureCoding.failure(error).map { ClientFailure.refused($0) }
                finish(.failure(refused ?? (error.kind == .timedOut ? .silent : .absent)))
            }
        }
    }

    /// What is shown has all edits in it: a listing without one of them is not shown, and read again after them.
    func loadQueue() {
        guard !edits.isBusy else { return owesQueue = true }
        let edition = edits.edition
        readQueue { outcome in
            if edition == self.edits.edition { return self.listed(.queue, outcome) }
            self.owesQueue = true
            self.goOn()
        }
    }

    func change(_ edit: QueueEdits.Edit) {
        edits.add(edit)
        goOn()
    }

    /// Behind the edits that are on their way, where there are any.
    func beginInTurn(_ call: UICall) {
        guard call.changesQueue, edits.isBusy else { return begin(call) }
        edits.add(call)
        goOn()
    }

    private func goOn() {
        while let step = edits.next() {
            switch step {
            case .edit(let edit): carryOut(edit)
            case .call(let call): begin(call)
            }
        }
        guard !edits.isBusy, owesQueue else { return }
        owesQueue = false
        loadQueue()
    }

    /// Somebody else may have changed the queue since it was read: it is read again, and what was meant is looked for near
    /// where it stood.
    private func carryOut(_ edit: QueueEdits.Edit) {
        readQueue { outcome in
            switch outcome {
            case .failure(let failure): self.failed(UICall(.queue, "List"), failure)
            case .success(let rows):
                guard let call = Self.call(edit, rows) else {
                    self.edits.done()
                    self.take(.changed(.queue))
                    return self.goOn()
                }
                self.client.begin(call.interface, call.member, call.arguments, call.patience, autoStart: false) {
                    self.answered(call, $0)
                }
            }
        }
    }

    private func answered(_ call: UICall, _ outcome: Result<[BusValue], ClientFailure>) {
        if case .failure(let failure) = outcome { return failed(call, failure) }
        edits.done()
        take(.answered(call, outcome))
        goOn()
    }

    /// What is shown was not done.
    private func failed(_ call: UICall, _ failure: ClientFailure) {
        edits.drop()
        take(.answered(call, .failure(failure)))
        take(.changed(.queue))
        goOn()
    }

    /// nil where there is nothing to be done any more.
    private static func call(_ edit: QueueEdits.Edit, _ rows: [ListedTrack]) -> UICall? {
        let places = rows.indices.filter { rows[$0].track.id == edit.id }
        guard let place = places.min(by: { abs($0 + 1 - edit.position) < abs($1 + 1 - edit.position) }) else {
            return nil
        }
        let here = UInt32(clamping: place + 1)
        switch edit.deed {
        case .remove: return UICall(.queue, "Remove", .array([.uint32(here)], of: "u"))
        case .move(let steps):
            let there = UInt32(clamping: max(1, min(place + 1 + steps, rows.count)))
            return there == here ? nil : UICall(.queue, "Move", .uint32(here), .uint32(there))
        }
    }
}
