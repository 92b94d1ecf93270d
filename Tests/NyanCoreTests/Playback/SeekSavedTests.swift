import NyanCore
import Testing

@Suite("Seeks and deaths")
struct SeekSavedTests {
    @Test(
        "a seek is on its way to the disk as it is taken, wherever the engine is with it",
        arguments: [
            Situation.restored, .preparing, .loading, .playing, .paused, .buffering, .seeking, .finding, .staged,
        ])
    func savedAtOnce(_ situation: Situation) {
        var scene = situation.scene()
        #expect(scene.command(.seekTo(.seconds(30), nil)).contains(.save))
        #expect(scene.machine.saved(at: scene.now).position == 30)
    }
}
