import Glibc
import NyanAudio
import NyanCore
import Testing

extension AudioTests {
    /// Where a seek really lands: the tone's pitch tells the second that is heard.
    @Suite(.serialized) struct SeekTests {
        nonisolated enum Form: String, CaseIterable {
            case constant, bareConstant, variable, bareVariable, flac

            var bytes: [UInt8] {
                switch self {
                case .constant: Chirp.constant
                case .bareConstant: Chirp.bareConstant
                case .variable: Chirp.variable
                case .bareVariable: Chirp.bareVariable
                case .flac: Chirp.flac
                }
            }
        }

        /// A listener whose sink writes what is heard, when it is heard, to a file.
        private func recorder() -> (listener: Listener, file: Int32, path: String) {
            let path = Sounds.directory + "/seek.pcm"
            let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
            let format = "audioconvert ! audio/x-raw,format=S16LE,rate=44100,channels=2"
            return (Listener(sink: "\(format) ! fdsink sync=true fd=\(file)"), file, path)
        }

        /// Listens on for a moment and compares the second that is told with the one that is heard. A busy machine writes late
        /// what is heard, now and then; a seek to a wrong place is wrong at every look.
        private func expectTruth(
            _ listener: Listener, _ path: String, near target: Double, since begun: ContinuousClock.Instant
        ) async throws {
            var (told, heard) = (0.0, 0.0)
            for _ in 0..<8 {
                await listener.listen(for: .milliseconds(250))
                told = try #require(listener.engine.position()).position.inSeconds
                heard = try #require(Chirp.second(endOf: path))
                // The newest buffer, 26 ms of an MP3, is written when its first sample is due.
                if told > target + 0.1, abs(heard - 0.013 - told) < 0.05 { break }
            }
            let passed = (ContinuousClock.now - begun).inSeconds
            #expect(abs(heard - 0.013 - told) < 0.05, "told \(told), heard \(heard)")
            #expect((target + 0.1..<target + passed + 0.1).contains(told), "told \(told), sought \(target)")
        }

        private func seek(_ listener: Listener, to target: Double) async {
            let told = listener.events.count
            listener.engine.seek(to: .seconds(target))
            await listener.wait("seeked", from: told) { if case .seeked = $0 { true } else { false } }
        }

        @Test("A seek is exact where all bytes are there", arguments: Form.allCases)
        func complete(form: Form) async throws {
            let (listener, file, path) = recorder()
            defer { close(file) }
            listener.load(1, MemorySource(form.bytes), expected: .seconds(30))
            await listener.started(1)
            for target in [25.0, 3.2, 11.7, 0.5] {
                let begun = ContinuousClock.now
                await seek(listener, to: target)
                try await expectTruth(listener, path, near: target, since: begun)
            }
            listener.engine.stop()
        }

        @Test("A start in the middle is exact", arguments: Form.allCases)
        func startsThere(form: Form) async throws {
            let (listener, file, path) = recorder()
            defer { close(file) }
            let begun = ContinuousClock.now
            listener.load(1, MemorySource(form.bytes), expected: .seconds(30), at: .seconds(17))
            await listener.started(1)
            try await expectTruth(listener, path, near: 17, since: begun)
            listener.engine.stop()
        }

        @Test(
            "Of a constant rate, a seek past what is there fetches from the target on and is exact, also the seek after it",
            arguments: [Form.constant, .bareConstant])
        func pastTheEdge(form: Form) async throws {
            let (listener, file, path) = recorder()
            defer { close(file) }
            let source = GrowingSource(form.bytes)
            listener.load(1, source, expected: .seconds(30))
            source.come(0..<60_000)
            await listener.started(1)
            listener.engine.seek(to: .seconds(22))
            await listener.wait("hungry") { if case .hungry = $0 { true } else { false } }
            let wanted = Int(try #require(listener.wants.last))
            #expect(abs(wanted - 22 * 16_000) < 1500)
            var begun = ContinuousClock.now
            source.come(wanted..<wanted + 64_000)
            await listener.wait("seeked") { if case .seeked = $0 { true } else { false } }
            try await expectTruth(listener, path, near: 22, since: begun)
            source.complete()
            for target in [2.0, 24.0] {
                begun = .now
                await seek(listener, to: target)
                try await expectTruth(listener, path, near: target, since: begun)
            }
            await listener.ended(1)
            #expect(abs(try #require(Chirp.second(endOf: path)) - 30) < 0.06)
        }

        @Test("Of a changing rate, a seek past what is there waits for what lies between and is exact")
        func waits() async throws {
            let (listener, file, path) = recorder()
            defer { close(file) }
            let source = GrowingSource(Chirp.bareVariable)
            listener.load(1, source, expected: .seconds(30))
            source.come(0..<60_000)
            await listener.started(1)
            listener.engine.seek(to: .seconds(22))
            await listener.wait("hungry") { if case .hungry = $0 { true } else { false } }
            #expect(listener.engine.position()?.position == .seconds(22))
            let begun = ContinuousClock.now
            source.complete()
            await listener.wait("seeked") { if case .seeked = $0 { true } else { false } }
            try await expectTruth(listener, path, near: 22, since: begun)
            listener.engine.stop()
        }

        @Test("A sound ends at its true end whatever its header says, and its length is told", arguments: [10.0, 0.1])
        func lies(factor: Double) async throws {
            var bytes = Chirp.constant
            let at = try #require(bytes.firstRange(of: Array("Info".utf8)))
            let count = Int(30 * 44_100 / 1152 * factor)
            bytes.replaceSubrange(
                at.upperBound + 4..<at.upperBound + 8, with: (0..<4).map { UInt8(count >> (24 - 8 * $0) & 0xFF) })
            let (listener, file, path) = recorder()
            defer { close(file) }
            listener.load(1, MemorySource(bytes), expected: .seconds(30), at: .seconds(28))
            await listener.ended(1)
            #expect(abs(try #require(Chirp.second(endOf: path)) - 30) < 0.06)
            let lengths = listener.events.compactMap { event -> Double? in
                if case .lengthKnown(_, let length) = event { length.inSeconds } else { nil }
            }
            #expect(lengths.count == 1 && abs((lengths.first ?? 0) - 30) < 0.05, "\(lengths)")
        }
    }
}

/// A tone whose pitch rises by 160 Hz a second, on the left; on the right noise for twelve seconds, then nothing, so that a
/// variable rate varies.
nonisolated enum Chirp {
    private static let base = 200.0
    private static let slope = 160.0

    static let constant = mp3("constant", ["-b", "128"])
    static let bareConstant = mp3("bare-constant", ["-t", "-b", "128"])
    static let variable = mp3("variable", ["-V", "4"])
    static let bareVariable = mp3("bare-variable", ["-V", "4", "-t"])
    static let flac: [UInt8] = {
        let path = Sounds.directory + "/chirp.flac"
        let command = ["ffmpeg", "-v", "error", "-y", "-i", wav, "-frame_size", "1152", path]
        return Child.run(command) ? contents(of: path) : []
    }()

    private static let wav: String = {
        let path = Sounds.directory + "/chirp.wav"
        let left = "0.5*sin(2*PI*(\(base)*t+\(slope / 2)*t*t))"
        let source = "aevalsrc='\(left)|if(lt(t,12),0.5*(random(0)*2-1),0)':s=44100:d=30"
        return Child.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", source, path]) ? path : ""
    }()

    private static func mp3(_ name: String, _ options: [String]) -> [UInt8] {
        let path = Sounds.directory + "/\(name).mp3"
        return Child.run(["lame", "--quiet", "-m", "s"] + options + [wav, path]) ? contents(of: path) : []
    }

    /// The second of the tone at the end of what was recorded, from its last 40 ms; nil when there is less.
    static func second(endOf path: String) -> Double? {
        let samples = recorded(path).suffix(1764).map(Double.init)
        guard samples.count == 1764 else { return nil }
        // Rising zero crossings, between samples.
        let crossings = (1..<samples.count).compactMap { index -> Double? in
            let (before, after) = (samples[index - 1], samples[index])
            return before < 0 && after >= 0 ? Double(index - 1) + before / (before - after) : nil
        }
        guard let first = crossings.first, let last = crossings.last, crossings.count > 4 else { return nil }
        let pitch = Double(crossings.count - 1) / (last - first) * 44_100
        let middle = (first + last) / 2 / 44_100
        return (pitch - base) / slope + 0.04 - middle
    }
}

extension AudioTests.SeekTests {
    @Test(
        "A seek back in the last moments, when all has gone to the sink, is heard and told, also while paused")
    func fromTheEnd() async throws {
        for isPaused in [false, true] {
            let listener = Listener()
            let last = try #require(await lastMoments(listener))
            let begun = ContinuousClock.now
            if isPaused { listener.engine.setPlaying(false) }
            listener.engine.seek(to: .milliseconds(500))
            let event = await listener.wait("seeked") { if case .seeked = $0 { true } else { false } }
            guard case .seeked(_, let actual)? = event else { continue }
            await listener.listen(for: .milliseconds(200))
            let place = try #require(listener.engine.position()).position.inSeconds
            let passed = isPaused ? 0 : (ContinuousClock.now - begun).inSeconds
            #expect((0.44..<0.56 + passed).contains(actual.inSeconds), "\(actual)")
            #expect((isPaused ? 0.44..<0.56 : 0.5..<0.6 + passed).contains(place), "\(place)")
            listener.engine.setPlaying(true)
            await listener.ended(last)
            #expect(listener.plot.filter { $0 == .ended(LoadNumber(last)) }.count == 1)
            listener.engine.stop()
        }
    }

    /// Plays the tone to its last 18 ms, and gives its number; a busy machine may miss them, and it is played once more.
    private func lastMoments(_ listener: Listener) async -> UInt64? {
        for number in UInt64(1)...20 {
            listener.load(number, Sounds.mp3)
            await listener.started(number)
            while listener.place < 1.985, !listener.events.contains(.ended(LoadNumber(number))) {
                await listener.listen(for: .milliseconds(1))
            }
            if !listener.events.contains(.ended(LoadNumber(number))) { return number }
        }
        return nil
    }

    @Test("A start beyond the sound's end begins it from the front")
    func beyondTheEnd() async throws {
        let listener = Listener()
        let begun = ContinuousClock.now
        listener.load(1, MemorySource(Sounds.mp3), expected: .seconds(60), at: .seconds(40))
        await listener.started(1)
        await listener.ended(1)
        // All two seconds of it.
        #expect(ContinuousClock.now - begun > .milliseconds(1900))
        #expect(listener.plot == [.started(LoadNumber(1)), .ended(LoadNumber(1))])
    }

    @Test("A seek before a start beyond the sound's end has shown itself is not lost: it begins there, told once")
    func wishBeyondTheEnd() async throws {
        for wish in [Duration.seconds(1), .seconds(50)] {
            let listener = Listener()
            listener.load(1, MemorySource(Sounds.mp3), expected: .seconds(60), at: .seconds(40))
            listener.engine.seek(to: wish)
            let event = await listener.wait("seeked") { if case .seeked = $0 { true } else { false } }
            guard case .seeked(_, let actual)? = event else { continue }
            // Beyond the end as well, it begins at the front.
            #expect(actual.inSeconds > (wish == .seconds(1) ? 0.94 : -1))
            await listener.ended(1)
            let load = LoadNumber(1)
            #expect(listener.plot == [.started(load), .seeked(load, actual), .ended(load)])
        }
    }

    @Test("Another load, a stop or another follower while the next sound is on its way to the sink, at once", .measured)
    func inTheSeam() async {
        for what in ["load", "stop", "stage"] {
            let listener = Listener(sink: "audioconvert ! fakesink sync=true")
            listener.load(1, Sounds.mp3)
            listener.stage(2, Sounds.flac)
            await listener.started(1)
            await listener.listen(for: .milliseconds(1985))
            measure(what, within: .milliseconds(100)) {
                switch what {
                case "load": listener.load(3, Sounds.mp3)
                case "stop": listener.engine.stop()
                default: listener.stage(3, Sounds.mp3)
                }
            }
            if what == "stop" { listener.load(3, Sounds.mp3) }
            await listener.started(3)
        }
    }
}
