internal import CGst
internal import NyanCore

extension Pipeline {
    /// Puts ReplayGain in the way of the sound or takes it out; while it is off nothing at all is there. The pipeline
    /// goes to NULL for it, as playsink builds its chain anew only there. `notes`: what is known of sounds to come.
    func evenOut(_ mode: GainMode, _ notes: GainNotes) {
        if mode != .off, !hasGainNotes {
            notes.serve(playbin)
            hasGainNotes = true
        }
        guard (gain != nil) != (mode != .off) else {
            gain?.use(mode)
            return
        }
        release()
        guard !isStuck else { return }
        gain = mode == .off ? nil : GainFilter(mode, notes)
        cgst_set_object(playbin.raw, "audio-filter", gain?.element.raw)
    }
}
