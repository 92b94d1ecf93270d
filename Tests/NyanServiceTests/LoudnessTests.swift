import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Measuring in the background, and what the player makes of it.
@Suite(.timeLimit(.minutes(1)))
struct LoudnessTests {
    let rig = Rig()
    let store = MemoryLoudness()
    let meter = ScriptedMeter()

    private func service(_ mode: GainMode) -> LoudnessService {
        LoudnessService(mode: mode, meter: meter, store: store, hub: rig.hub, log: Log(level: .error))
    }

    private func put(_ numbers: Int64...) {
        for number in numbers { store.put(FinishedCopy(id: track(number).id, path: "/\(number)", bytes: 1000)) }
    }

    private func libraryChanges() {
        rig.hub.changed(.library)
        rig.hub.flush()
    }

    @Test("Every copy without a reading is measured once, one at a time; then nothing more is asked")
    func measuresAll() async {
        put(1, 2, 3)
        let service = service(.track)
        await settle()
        #expect(meter.asked.isEmpty)
        service.start()
        #expect(await until { self.store.readings.count == 3 })
        #expect(meter.asked == ["/1", "/2", "/3"] && meter.mostAtOnce == 1)
        await settle()
        let questions = store.questions
        libraryChanges()
        await settle()
        #expect(meter.asked.count == 3 && store.questions == questions + 1)
    }

    @Test("A download that finishes is measured; one that finishes meanwhile is too")
    func measuresNew() async {
        let service = service(.album)
        service.start()
        await settle()
        put(1)
        meter.latch.shut()
        libraryChanges()
        #expect(await until { self.meter.running == 1 })
        put(2)
        libraryChanges()
        meter.latch.open()
        #expect(await until { self.store.readings.count == 2 })
        #expect(meter.mostAtOnce == 1)
        withExtendedLifetime(service) {}
    }

    @Test("Off measures nothing, and switching off ends what runs; switching on again goes on")
    func switches() async {
        put(1, 2)
        let service = service(.off)
        service.start()
        libraryChanges()
        await settle()
        #expect(meter.asked.isEmpty && store.questions == 0)
        meter.latch.shut()
        service.setMode(.track)
        #expect(await until { self.meter.running == 1 })
        service.setMode(.off)
        #expect(await until { self.meter.running == 0 })
        await settle()
        #expect(store.readings.isEmpty && meter.asked == ["/1"])
        service.setMode(.track)
        #expect(await until { self.meter.running == 1 })
        // Off and on within one turn: what was ended begins anew.
        service.setMode(.off)
        service.setMode(.album)
        meter.latch.open()
        #expect(await until { self.store.readings.count == 2 })
    }

    @Test("A file that cannot be measured is passed over until the next start")
    func passesOver() async {
        put(1, 2)
        meter.answers["/1"] = .failure(Failure(.damagedSound, "no sound"))
        let service = service(.track)
        service.start()
        #expect(await until { self.store.readings.count == 1 })
        libraryChanges()
        await settle()
        #expect(meter.asked == ["/1", "/2"])
    }

    @Test("Where GStreamer cannot measure, one file is tried and no more")
    func unable() async {
        put(1, 2, 3)
        meter.answers["/1"] = .failure(Failure(.missingDecoder, "no rganalysis"))
        let service = service(.track)
        service.start()
        #expect(await until { !self.meter.asked.isEmpty })
        libraryChanges()
        await settle()
        #expect(meter.asked == ["/1"] && store.readings.isEmpty)
    }

    @Test("The end of the program does not wait for a measurement")
    func ends() async {
        put(1, 2)
        meter.latch.shut()
        let service = service(.track)
        service.start()
        #expect(await until { self.meter.running == 1 })
        await service.shutDown()
        #expect(meter.running == 0 && meter.asked == ["/1"] && store.readings.isEmpty)
    }

    @Test(
        "A finished copy plays with what was measured of it, as long as its file is the same one",
        arguments: GainMode.allCases)
    func plays(mode: GainMode) async throws {
        let service = service(mode)
        rig.player.loudness = service
        service.start()
        let loudness = Loudness(trackGain: -9, trackPeak: 0.9)
        for number in Int64(1)...2 {
            let copy = FinishedCopy(id: track(number).id, path: "/no such folder/\(number).mp3", bytes: 1000)
            rig.library.put(profile: [track(number)], copies: [copy])
            rig.copies.addFile(copy.path)
            store.put(copy)
        }
        let size = try #require(try rig.copies.openFile("/no such folder/1.mp3").size)
        store.put(LoudnessReading(bytes: size, loudness: loudness), of: track(1).id)
        store.put(LoudnessReading(bytes: size + 1, loudness: loudness), of: track(2).id)
        rig.player.perform(.playTracks([track(1), track(2)], startAt: 0))
        #expect(await until { self.rig.engine.staged != nil })
        let current = try #require(rig.engine.current)
        let staged = try #require(rig.engine.staged)
        #expect(rig.engine.sounds[current]?.loudness == (mode == .off ? nil : loudness))
        #expect(rig.engine.sounds[staged]?.loudness == nil)
        // The one that was changed is measured again for the next time.
        await settle()
        #expect(meter.asked == (mode == .off ? [] : ["/no such folder/2.mp3"]))
    }
}
