internal import Dispatch
internal import NyanCore

/// The output: opening it, losing it, finding it again.
extension GstEngine {
    /// How long after one look for a lost output, while somebody waits for it, comes the next: a second in the first minute,
    /// then five.
    private var searchInterval: Duration { searches < 60 ? .seconds(1) : .seconds(5) }

    func openOutput(of pipeline: Pipeline, orSilence: Bool = true) throws(Failure) {
        if let output = pipeline.output {
            let isStopgap = output.kind == .silent && (!orSilence || monotonicNow() >= nextOutputSearch)
            if !isStopgap {
                do throws(Failure) {
                    let isOpen = pipeline.isReleased ? try opening.wakes(output.sink) : true
                    if isOpen {
                        return tellOutput(output.kind == .silent ? .missing : .ok)
                    }
                } catch {
                    tellOutput(.lost)
                    throw error
                }
            }
            pipeline.use(nil)
        }
        let output: Output
        do throws(Failure) {
            output = try Output.open(
                sinkSetting, volume: volume, reports: reports, opening: opening, orSilence: orSilence)
            guard try opening.wakes(output.sink) else {
                throw Failure(.audioOutput, "the audio output \"\(sinkSetting)\" cannot be opened", retry: .later)
            }
        } catch {
            tellOutput(.lost)
            throw error
        }
        pipeline.use(output)
        nextOutputSearch = monotonicNow() + .seconds(2)
        tellOutput(output.kind == .silent ? .missing : .ok)
    }

    /// What the sink's threads tell, brought to the main actor.
    private var reports: Output.Reports {
        Output.Reports(
            volume: { [weak self] volume, generation in
                DispatchQueue.main.async {
                    MainActor.assumeIsolated { self?.adoptVolume(volume, generation: generation) }
                }
            },
            firstSample: { [weak self] in
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.firstSampleCame() } }
            },
            moved: { [weak self] in
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.endStall() } }
            },
            vanished: { [weak self] in
                DispatchQueue.main.async { MainActor.assumeIsolated { self?.deviceVanished() } }
            })
    }

    func tellOutput(_ output: AudioOutput) {
        guard output != audioOutput else { return }
        audioOutput = output
        emit(.outputChanged(output))
    }

    private func adoptVolume(_ volume: Double, generation: UInt64) {
        let heard = min(volume, 1)
        guard pipeline?.output?.volume.adopt(heard, generation: generation) == true else { return }
        self.volume = heard
        emit(.volumeChanged(heard))
    }

    /// What one listened with was taken away, and the server plays on elsewhere: told as lost, which pauses if the
    /// setting says so. If nobody paused for it, that is all.
    private func deviceVanished() {
        guard wantsPlaying, stall == nil, let now = current, now.phase != .over else { return }
        tellOutput(.lost)
        // Behind what `tellOutput` made wait.
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated { self?.forgiveLoss() }
        }
    }

    /// Somebody wants to hear something on the output that there is.
    func forgiveLoss() {
        guard wantsPlaying, stall == nil, let now = current, now.phase != .over, pipeline?.output != nil else { return }
        tellOutput(.ok)
    }

    /// Something asked of the pipeline does not return: its sound server does not answer.
    func handIsLate() {
        beginStall()
    }

    /// A server that took a call and was silent has said yes or no.
    func serverAnswered(_ isThere: Bool) {
        if isAwaitingOutput { return search() }
        if isThere, current == nil || current?.phase == .over { tellOutput(.ok) }
    }

    public func awaitOutput() {
        isAwaitingOutput = true
        searchTimer.arm(after: searchInterval) { [weak self] in self?.search() }
    }

    func stopSearch() {
        isAwaitingOutput = false
        searches = 0
        searchTimer.cancel()
    }

    private func search() {
        isAwaitingOutput = false
        searchTimer.cancel()
        searches += 1
        do throws(Failure) {
            // Told as an event: whoever waits starts again.
            _ = try ready(orSilence: false)
        } catch {
            awaitOutput()
        }
    }
}
