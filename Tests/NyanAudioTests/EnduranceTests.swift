import Glibc
import NyanAudio
import NyanCore
import Testing

/// How many descriptors the process has open.
nonisolated private func openDescriptors() -> Int {
    guard let directory = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
}

/// A number of a line `name: number …` in /proc/self/status.
nonisolated private func status(_ name: String) -> Int {
    let text = String(decoding: contents(of: "/proc/self/status"), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) } ?? 0
}

/// Voluntary context switches of all threads: how often anything woke.
nonisolated private func wakeups() -> Int {
    guard let directory = opendir("/proc/self/task") else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        let text = String(decoding: contents(of: "/proc/self/task/\(name)/status"), as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
        count += line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) } ?? 0
    }
    return count
}

extension AudioTests {
    @Suite(.serialized) struct EnduranceTests {
        @Test("200 loads, skipped, sought and stopped, leave the descriptors and threads as they were")
        func manyLoads() async {
            let listener = Listener()
            for number in UInt64(1)...20 { await round(number, listener) }
            let (descriptors, memory) = (openDescriptors(), status("VmRSS"))
            for number in UInt64(21)...220 { await round(number, listener) }
            #expect(openDescriptors() == descriptors)
            #expect(status("VmRSS") - memory < 4_000, "RSS grew from \(memory) kB")
            print(
                "FIGURE 200 loads: fds \(descriptors) -> \(openDescriptors()), RSS \(memory) -> \(status("VmRSS")) kB")
        }

        private func round(_ number: UInt64, _ listener: Listener) async {
            listener.load(number, Sounds.mp3)
            switch number % 4 {
            case 0: return
            case 1: listener.engine.seek(to: .seconds(1))
            case 2: listener.stage(number + 1000, Sounds.mp3)
            default: break
            }
            await listener.started(number)
            if number % 8 == 3 { listener.engine.stop() }
        }

        @Test("An engine that is dropped while a sound is heard and another follows ends both")
        func dropped() async {
            for number in UInt64(1)...30 {
                let listener = Listener()
                listener.load(number, Sounds.mp3)
                listener.stage(number + 1000, number % 2 == 0 ? Sounds.mp3 : Sounds.flac48)
                if number % 3 > 0 { await listener.started(number) }
                await listener.listen(for: .milliseconds(Int(number % 5) * 20))
            }
        }

        @Test("Hundreds of random wishes in a row leave an engine that plays", arguments: UInt64(1)...3)
        func randomWalk(seed: UInt64) async {
            var random = seed
            func draw(_ range: UInt64) -> UInt64 {
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return (random >> 33) % range
            }
            let sounds = [Sounds.mp3, Sounds.flac, Sounds.long, Sounds.flac48, Array("<html>".utf8)]
            let listener = Listener()
            for number in UInt64(1)...400 {
                switch draw(8) {
                case 0...2:
                    let place = Duration.milliseconds(Int(draw(2) * draw(1500)))
                    listener.load(number, sounds[Int(draw(5))], at: place, playing: draw(4) > 0)
                case 3: listener.stage(number, sounds[Int(draw(5))])
                case 4: listener.engine.seek(to: .milliseconds(Int(draw(2500))))
                case 5: listener.engine.setPlaying(draw(3) > 0)
                case 6: listener.engine.unstage()
                default: if draw(4) == 0 { listener.engine.stop() } else { listener.engine.setVolume(0.5) }
                }
                if draw(3) > 0 { await listener.listen(for: .microseconds(Int(draw(9000)))) }
            }
            listener.load(2000, Sounds.mp3)
            await listener.started(2000)
            await listener.ended(2000)
        }

        @Test("A load sounds within milliseconds when the pipeline is warm", .measured)
        func quickStart() async {
            let listener = Listener()
            listener.engine.warmUp()
            var first: [Duration] = []
            var next: [Duration] = []
            for number in UInt64(1)...15 {
                let start = ContinuousClock.now
                listener.load(number * 2, Sounds.long)
                await listener.started(number * 2)
                first.append(ContinuousClock.now - start)
                let skip = ContinuousClock.now
                listener.load(number * 2 + 1, Sounds.long)
                await listener.started(number * 2 + 1)
                next.append(ContinuousClock.now - skip)
                listener.engine.stop()
            }
            print("FIGURE load to first sample \(first.sorted()[7]), next to first sample \(next.sorted()[7])")
            // The quickest three of fifteen: what the others add is the machine's.
            measure(first.sorted()[2] < .milliseconds(20), "load to first sample \(first.sorted()[2])")
            measure(next.sorted()[2] < .milliseconds(28), "next to first sample \(next.sorted()[2])")
        }

        @Test("Paused, stopped or ended, nothing wakes", arguments: ["paused", "stopped", "ended", "hungry"])
        func idle(state: String) async {
            let listener = Listener()
            let source = GrowingSource(Sounds.long)
            source.come(0..<40_000)
            if state == "hungry" {
                listener.load(1, source, expected: .seconds(60))
            } else {
                listener.load(1, Sounds.mp3)
            }
            await listener.started(1)
            switch state {
            case "paused": listener.engine.setPlaying(false)
            case "stopped": listener.engine.stop()
            case "ended": await listener.ended(1)
            default: await listener.wait("hungry") { if case .hungry = $0 { true } else { false } }
            }
            // Dispatch lets go of spare threads, also of tests before this one, after some seconds, each waking once more.
            // Whatever wakes regularly is there in every one of these spans.
            var woken = Int.max
            for _ in 0..<10 where woken >= 12 {
                await listener.listen(for: .seconds(1))
                let before = wakeups()
                await listener.listen(for: .seconds(2))
                woken = wakeups() - before
            }
            print("FIGURE \(state): \(woken) wakeups in 2 s, RSS \(status("VmRSS")) kB, threads \(status("Threads"))")
            #expect(woken < 12)
        }
    }
}
