import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import nyanctl

/// Keys that come faster than the daemon answers.
@Suite("The ui at work on the queue", .serialized, .timeLimit(.minutes(2)))
struct UIQueueWorkTests {
    /// A queue that does what it is told, as the daemon's.
    private final class Queue {
        var numbers: [Int]

        init(_ numbers: ClosedRange<Int>, _ daemon: ScriptedDaemon) {
            self.numbers = Array(numbers)
            daemon.replies["Queue.List"] = { _, _ in .reply([tracks(self.numbers), .uint32(0)]) }
            daemon.replies["Queue.Move"] = { arguments, _ in
                let (from, to) = (arguments[0].integer ?? 1, arguments[1].integer ?? 1)
                self.numbers.insert(self.numbers.remove(at: from - 1), at: to - 1)
                return .done
            }
            daemon.replies["Queue.Remove"] = { arguments, _ in
                for position in (arguments[0].elements ?? []).compactMap(\.integer) {
                    self.numbers.remove(at: position - 1)
                }
                return .reply([.uint32(UInt32(self.numbers.count))])
            }
        }

        func becomes(_ wanted: [Int]) async -> Bool {
            let end = ContinuousClock.now + .seconds(20)
            while numbers != wanted {
                guard ContinuousClock.now < end else { return false }
                await settle()
            }
            return true
        }
    }

    private func stand(_ numbers: ClosedRange<Int>) async throws -> (UIStand, Queue) {
        var queue: Queue?
        let stand = try UIStand { daemon in
            daemon.answers("Library.Profile", tracks(Array(1...3)))
            queue = Queue(numbers, daemon)
        }
        #expect(await stand.screen.shows("Песня 3"))
        stand.screen.press(.text("5"))
        #expect(await stand.screen.shows("Песня \(numbers.upperBound)"))
        return (stand, try #require(queue))
    }

    @Test("A held key moves its entry as far as it was pressed, and leaves the others in their order")
    func heldKey() async throws {
        let (stand, queue) = try await stand(1...15)
        for _ in 1...10 { stand.screen.press(.text("J")) }
        let others = Array(2...15)
        #expect(await queue.becomes(Array(others.prefix(10)) + [1] + others.dropFirst(10)))
        for _ in 1...4 { stand.screen.press(.text("K")) }
        #expect(await queue.becomes(Array(others.prefix(6)) + [1] + others.dropFirst(6)))
        #expect(await stand.screen.shows(" 7  Кот – Песня 1 "))
    }

    @Test("Each press takes out the row that was seen, also where a track is there twice")
    func removals() async throws {
        let (stand, queue) = try await stand(1...6)
        queue.numbers = [1, 2, 1, 3, 1, 4]
        stand.screen.press(.text("y"))
        #expect(await stand.screen.shows(" 6  Кот – Песня 4 "))
        stand.screen.press(.home, .text("x"), .text("x"), .down, .text("x"))
        #expect(await queue.becomes([1, 1, 4]))
        #expect(await stand.screen.shows(" 3  Кот – Песня 4 "))
        #expect(stand.daemon?.calls.count { $0 == "Queue.Remove" } == 3)
    }

    @Test("An edit that is refused is said, and the queue is shown as it is")
    func refused() async throws {
        let (stand, queue) = try await stand(1...6)
        stand.daemon?.refuses("Queue.Move", .internal, "the queue is stuck")
        stand.screen.press(.text("J"), .text("J"))
        #expect(await stand.screen.shows("the queue is stuck"))
        #expect(await stand.screen.shows(" 1  Кот – Песня 1 "))
        #expect(queue.numbers == Array(1...6))
    }

    @Test("A library that is changed elsewhere is listed anew")
    func imported() async throws {
        let stand = try UIStand { daemon in
            daemon.answers("Library.Profile", tracks(Array(1...3)))
            daemon.answers("Library.Music", tracks(Array(1...1)))
        }
        #expect(await stand.screen.shows("Песня 3"))
        stand.screen.press(.text("2"))
        #expect(await stand.screen.shows("Песня 3", false))
        stand.daemon?.answers("Library.Music", tracks(Array(1...4)))
        try stand.daemon?.connection.emit(Names.nyandPath, NyandInterfaces.library.name, "Changed", [])
        #expect(await stand.screen.shows("Песня 4"))
    }

    @Test("No key starts a daemon that was ended on purpose")
    func ended() async throws {
        let folder = "/tmp/nyan-ui-services-\(getpid())"
        try #require(mkdir(folder, 0o700) == 0)
        let file = folder + "/\(Names.nyand).service"
        let trace = folder + "/started"
        defer {
            for path in [file, trace] { unlink(path) }
            rmdir(folder)
        }
        let text = "[D-BUS Service]\nName=\(Names.nyand)\nExec=/usr/bin/touch \(trace)\n"
        let descriptor = creat(file, 0o600)
        try #require(write(descriptor, text, text.utf8.count) == text.utf8.count)
        close(descriptor)
        let stand = try UIStand(services: folder) { $0.answers("Library.Profile", tracks(Array(1...3))) }
        #expect(await stand.screen.shows("Песня 3"))
        stand.daemon?.connection.close()
        #expect(await stand.screen.shows("nyand is not running"))
        let keys: [ScreenKey] = [.text(" "), .text("n"), .text("l"), .text("y"), .text("o"), .enter, .text("d")]
        for key in keys { stand.screen.press(key) }
        // A question of somebody else's, behind all of these on the same connection, is answered after them.
        stand.screen.press(.text("?"))
        #expect(await stand.screen.shows("Keys"))
        _ = try? await stand.client.connection.owner(of: Names.nyand)
        #expect(access(trace, F_OK) != 0)
    }
}
