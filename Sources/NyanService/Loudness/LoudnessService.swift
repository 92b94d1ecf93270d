public import NyanCore
import NyanDBus

/// Sees to it that finished copies without ReplayGain tags play as loud as others: measures each once, one at a time,
/// while `audio.replaygain` is on, and keeps what was measured.
///
/// It looks for work when it starts and whenever the library changes; between that nothing runs.
public final class LoudnessService {
    public private(set) var mode: GainMode
    private let meter: any LoudnessMeter
    private let store: any LoudnessStore
    private let log: Log
    private var isStarted = false
    private var working: Task<Void, Never>?
    /// Copies that could not be measured: not tried again before the next start.
    private var refused: Set<TrackID> = []
    /// GStreamer lacks what measuring takes: told once, and not tried again before the setting is changed.
    private var isUnable = false

    /// Writes what was measured into the file, for other players; gives the copy as it is then.
    public var tag: (FinishedCopy, LoudnessReading) async -> FinishedCopy = { copy, _ in copy }

    public init(
        mode: GainMode, meter: any LoudnessMeter, store: any LoudnessStore, hub: EventHub, log: Log
    ) {
        self.mode = mode
        self.meter = meter
        self.store = store
        self.log = log
        hub.subscribe { [weak self] changes in if changes.contains(.library) { self?.lookForWork() } }
    }

    /// Begins with what the library holds. Called once, when nothing else at the start needs the machine.
    public func start() {
        isStarted = true
        lookForWork()
    }

    /// The setting `audio.replaygain`; `off` ends a measurement that runs.
    public func setMode(_ mode: GainMode) {
        guard mode != self.mode else { return }
        if self.mode == .off { (refused, isUnable) = ([], false) }
        self.mode = mode
        if mode == .off { working?.cancel() }
        lookForWork()
    }

    /// What is to be added to a finished copy that is about to play; `bytes`: its size now.
    public func loudness(of id: TrackID, bytes: Int64) async -> Loudness? {
        guard mode != .off, let reading = try? await store.loudness(of: id) else { return nil }
        if reading.bytes == bytes { return reading.loudness }
        // Somebody changed the file, its tags as a rule: what it says now is found out for the next time.
        try? await store.setLoudness(nil, of: id)
        lookForWork()
        return nil
    }

    public func shutDown() async {
        isStarted = false
        working?.cancel()
        await working?.value
    }

    private func lookForWork() {
        guard isStarted, mode != .off, !isUnable, working == nil else { return }
        working = Task.onMain { [weak self] in
            await self?.work()
            self?.working = nil
            // Switched off and on again while it ended.
            if Task.isCancelled { self?.lookForWork() }
        }
    }

    private func work() async {
        var measured = 0
        var failures: [Failure] = []
        while let copy = await next() {
            do throws(Failure) {
                let reading = try await meter.measure(copy.path)
                let tagged = await tag(copy, reading)
                try await store.setLoudness(
                    LoudnessReading(bytes: tagged == copy ? reading.bytes : tagged.bytes, loudness: reading.loudness),
                    of: copy.id)
                measured += 1
                let gain = reading.loudness?.trackGain.map { "\(($0 * 100).rounded() / 100) dB" } ?? "nothing"
                log.debug("\(copy.id): \(gain) to be added")
            } catch {
                if error.code == .cancelled { break }
                refused.insert(copy.id)
                failures.append(error)
                isUnable = error.code == .missingDecoder
            }
        }
        if measured > 0 { log.info("loudness: \(measured) files measured") }
        // One line, however many: a disk may be away.
        if let first = failures.first {
            log.notice("loudness: \(failures.count) files could not be measured; the first: \(first.message)")
        }
    }

    /// The newest copy that is to be measured, if this is still wanted.
    private func next() async -> FinishedCopy? {
        guard isStarted, mode != .off, !isUnable, !Task.isCancelled else { return nil }
        return try? await store.unmeasured().first { !refused.contains($0.id) }
    }
}
