import NyanDBus
import NyanTestKit
import Testing

@testable import NyanService

/// The real conversation with logind, on a bus of its own.
@Suite("logind", .serialized, .timeLimit(.minutes(1)))
final class LogindTests {
    private let mock: MockLogind
    private var logind: Logind?
    private var told: [Bool] = []

    init() async throws {
        mock = try MockLogind()
    }

    private func connect() async throws {
        let logind = try await Logind.onBus(.address(mock.bus.address), log: Log(level: .error))
        logind.onSleep = { [weak self] in self?.told.append($0) }
        self.logind = logind
    }

    private func inhibitors(are wanted: [String]) async throws -> Bool {
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end {
            if try await mock.inhibitors() == wanted { return true }
        }
        return false
    }

    @Test("sleep and wake-up are heard; sleep is held off by one delay, let go of when we say so, and taken again")
    func sleeps() async throws {
        try await mock.start()
        try await connect()
        logind?.holdOff()
        logind?.holdOff()
        #expect(try await inhibitors(are: ["nyand"]))
        try await mock.prepareForSleep(true)
        #expect(await until { told == [true] })
        #expect(try await mock.inhibitors() == ["nyand"])
        logind?.letSleep()
        #expect(try await inhibitors(are: []))
        try await mock.prepareForSleep(false)
        #expect(await until { told == [true, false] })
        logind?.holdOff()
        #expect(try await inhibitors(are: ["nyand"]))
    }

    @Test("let go of before the answer came: nothing holds off the sleep")
    func letGoEarly() async throws {
        try await mock.start()
        try await connect()
        // The owner must be known before anything is asked for.
        try await mock.prepareForSleep(false)
        #expect(await until { told == [false] })
        logind?.holdOff()
        logind?.letSleep()
        #expect(try await inhibitors(are: []))
        try await mock.prepareForSleep(true)
        #expect(await until { told == [false, true] })
        #expect(try await mock.inhibitors() == [])
    }

    @Test("a logind that comes later is asked then; one that dies in mid-sleep counts as a wake-up")
    func comesAndGoes() async throws {
        try await connect()
        logind?.holdOff()
        try await mock.start()
        #expect(try await inhibitors(are: ["nyand"]))
        try await mock.prepareForSleep(true)
        #expect(await until { told == [true] })
        await mock.kill()
        #expect(await until { told == [true, false] })
        try await mock.start()
        logind?.holdOff()
        #expect(try await inhibitors(are: ["nyand"]))
    }

    @Test("the bus going away is told once; no bus at all is an error to look past")
    func noBus() async throws {
        try await connect()
        var gone = 0
        logind?.onGone = { gone += 1 }
        mock.bus.kill()
        #expect(await until { gone == 1 })
        logind?.holdOff()
        logind?.letSleep()
        await #expect(throws: BusError.self) {
            try await Logind.onBus(.address("unix:path=/nonexistent"), log: Log(level: .error))
        }
    }
}
