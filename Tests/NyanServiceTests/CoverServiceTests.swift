@testable import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// Answers when the latch is opened.
private final class SlowHTTP: HTTPClient {
    private let answer: HTTPResponse
    private(set) var requests = 0
    let latch = Latch()

    init(_ answer: HTTPResponse) {
        self.answer = answer
        latch.shut()
    }

    func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
        requests += 1
        await latch.pass()
        return answer
    }
}

/// Where a cover comes from, how often it is asked for, and what is shown meanwhile.
@Suite("Covers from everywhere", .timeLimit(.minutes(1)))
final class CoverServiceTests {
    private let rig = Rig()
    private static let address = "https://media.test/cover.jpg"
    private let picture = HTTPResponse(status: 200, headers: [:], body: [1])

    private func pictured(_ number: Int64, _ address: String? = CoverServiceTests.address) -> Track {
        var track = track(number)
        track.coverURL = address
        return track
    }

    @Test("An album's cover is fetched once for all its tracks, at the same time or one after the other")
    func album() async throws {
        let slow = SlowHTTP(picture)
        let covers = CoverService(
            client: slow, store: rig.pictures, library: rig.library, connectivity: rig.connectivity, hub: rig.hub,
            time: rig.time)
        let asked = [1, 2, 1].map { number in Task { await covers.cover(of: pictured(number)) } }
        #expect(await until { slow.requests > 0 })
        await settle()
        slow.latch.open()
        for task in asked { #expect(await task.value == "/dev/null") }
        #expect(await covers.cover(of: pictured(3)) == "/dev/null")
        #expect(slow.requests == 1)
    }

    @Test("A track whose address is another one gets its new picture; until that is there the old one stays")
    func changed() async throws {
        rig.http.answer = picture
        rig.library.put(profile: [pictured(1)])
        await rig.covers.cover(of: pictured(1))
        #expect(try await rig.library.tracks([track(1).id]).first?.coverPath == "/dev/null")
        rig.pictures.put(at: "/dev/zero")
        rig.http.answer = nil
        let renewed = pictured(1, "https://media.test/other.jpg")
        #expect(await rig.covers.cover(of: renewed) == "/dev/null")
        rig.http.answer = picture
        rig.time.advance(by: .seconds(5))
        #expect(await rig.covers.cover(of: renewed) == "/dev/zero")
        // The picture of before is there still, and known by its address.
        #expect(await rig.covers.cover(of: pictured(1)) == "/dev/null" && rig.http.requests == 3)
        #expect(await rig.covers.cover(of: renewed) == "/dev/zero" && rig.http.requests == 3)
        #expect(try await rig.library.tracks([track(1).id]).first?.coverPath == "/dev/zero")
    }

    @Test("What an earlier run knew is shown while VK is asked for the new one")
    func meanwhile() async throws {
        rig.library.put(profile: [pictured(1)])
        try await rig.library.setCover("/dev/null", of: track(1).id)
        rig.pictures.put(at: "/dev/zero")
        let slow = SlowHTTP(picture)
        let covers = CoverService(
            client: slow, store: rig.pictures, library: rig.library, connectivity: rig.connectivity, hub: rig.hub,
            time: rig.time)
        async let found = covers.cover(of: pictured(1))
        #expect(await until { slow.requests == 1 })
        #expect(covers.path(of: track(1).id) == "/dev/null")
        slow.latch.open()
        #expect(await found == "/dev/zero")
        #expect(covers.path(of: track(1).id) == "/dev/zero")
    }

    @Test("Offline, and with a network that fails, what was known before is shown, else what the file has in it")
    func offline() async throws {
        rig.library.put(
            profile: [pictured(1), pictured(2)], copies: [FinishedCopy(id: track(2).id, path: "/m", bytes: 1)])
        try await rig.library.setCover("/dev/null", of: track(1).id)
        rig.pictures.put("/dev/zero", in: "/m")
        rig.connectivity.setOfflineMode(true)
        #expect(await rig.covers.cover(of: pictured(1)) == "/dev/null")
        #expect(await rig.covers.cover(of: pictured(2)) == "/dev/zero")
        #expect(rig.http.requests == 0)
        #expect(try await rig.library.tracks([track(2).id]).first?.coverPath == "/dev/zero")
    }

    @Test("A file without an address at VK shows what is in it now, and a path that is gone is not shown")
    func files() async throws {
        var own = track(1)
        own.address = "file:///m/a.flac"
        rig.pictures.put("/dev/zero", in: "/m/a.flac")
        #expect(await rig.covers.cover(of: own) == "/dev/zero")
        rig.library.put(profile: [track(2)])
        try await rig.library.setCover("/no such folder/x.jpg", of: track(2).id)
        #expect(await rig.covers.cover(of: track(2)) == nil && rig.http.requests == 0)
    }

    @Test(
        "What is no picture is not asked for again within the hour; a server in trouble is",
        arguments: [(404, false), (200, false), (503, true)])
    func refused(_ status: Int, _ comesBack: Bool) async throws {
        rig.http.answer = HTTPResponse(status: status, headers: [:], body: [1])
        rig.pictures.refuse(Failure(.badAnswer, "no picture"))
        for _ in 0..<5 { #expect(await rig.covers.cover(of: pictured(1)) == nil) }
        #expect(rig.http.requests == 1)
        rig.time.advance(by: .seconds(5))
        rig.pictures.refuse(nil)
        rig.http.answer = picture
        #expect((await rig.covers.cover(of: pictured(1)) != nil) == comesBack)
    }

    @Test(
        "The current track's cover is tried for until it comes, with growing pauses, and no longer than it is current")
    func watched() async throws {
        rig.covers.watch(pictured(1))
        for (number, pause) in CoverPatience.pauses.enumerated() {
            #expect(await until { self.rig.time.waits == [pause] && self.rig.http.requests == number + 1 })
            if number == 1 {
                rig.covers.watch(pictured(1))
                await settle()
                #expect(rig.time.waits == [pause])
            }
            rig.time.advance(by: pause)
        }
        // After the last of them nobody waits: an idle machine sleeps.
        #expect(await until { self.rig.http.requests == CoverPatience.pauses.count + 1 })
        await settle()
        #expect(rig.time.waits.isEmpty)
        rig.covers.watch(pictured(2, "https://media.test/2.jpg"))
        #expect(await until { self.rig.time.waits == [.seconds(5)] })
        rig.covers.watch(nil)
        #expect(await until { self.rig.time.waits.isEmpty })
    }

    @Test("The network's return brings the current cover at once")
    func networkReturn() async throws {
        rig.connectivity.failed(.noNetwork)
        rig.hub.flush()
        rig.covers.watch(pictured(1))
        #expect(await until { self.rig.time.waits == [.seconds(5)] })
        rig.http.answer = picture
        rig.connectivity.succeeded()
        rig.hub.flush()
        #expect(await until { self.rig.covers.path(of: track(1).id) == "/dev/null" })
        #expect(await until { self.rig.pictures.used == ["/dev/null"] })
    }

    @Test("The next track's cover is there before it plays; while the current one has none, nothing is fetched ahead")
    func following() async throws {
        rig.covers.following = { [unowned self] in pictured(2, "https://media.test/2.jpg") }
        rig.http.answer = HTTPResponse(status: 404, headers: [:], body: [])
        rig.covers.watch(pictured(3, "https://media.test/3.jpg"))
        #expect(await until { self.rig.http.requests == 1 })
        await settle()
        #expect(rig.http.requests == 1)
        rig.http.answer = picture
        rig.time.advance(by: .seconds(1))
        rig.covers.watch(pictured(1))
        #expect(await until { self.rig.covers.path(of: track(2).id) != nil })
        #expect(rig.http.requests == 3)
    }

    @Test("Of a burst of tracks only the first and the last are fetched")
    func burst() async throws {
        rig.http.answer = picture
        for number in 1...20 {
            rig.covers.watch(pictured(Int64(number), "https://media.test/\(number).jpg"))
            await settle()
        }
        await settle()
        rig.time.advance(by: CoverServiceTests.calm)
        #expect(await until { self.rig.covers.path(of: track(20).id) != nil })
        #expect(rig.http.requests <= 2)
    }

    private static var calm: Duration { CoverService.calm }

    @Test("What is shown stays known and in the cache, however many downloads bring theirs")
    func inUse() async throws {
        rig.http.answer = picture
        rig.covers.watch(pictured(1))
        #expect(await until { self.rig.covers.path(of: track(1).id) != nil })
        rig.pictures.put(at: "/dev/zero")
        for number in 2...260 {
            await rig.covers.cover(of: pictured(Int64(number), "https://media.test/\(number).jpg"))
        }
        #expect(rig.covers.path(of: track(1).id) == "/dev/null" && rig.covers.path(of: track(2).id) == nil)
        await rig.covers.tidy()
        #expect(rig.pictures.kept == ["/dev/null", "/dev/zero"])
    }

    @Test("New files are looked into, so that listings show their covers before they are played")
    func newFiles() async throws {
        let copies = [1, 2, 3].map { FinishedCopy(id: track($0).id, path: "/m/\($0)", bytes: 1) }
        rig.library.put(profile: [track(1), track(2), track(3)], copies: copies)
        rig.pictures.put("/dev/null", in: "/m/1")
        rig.pictures.put("/dev/zero", in: "/m/3")
        rig.covers.look(into: Array(copies.prefix(2)))
        rig.covers.look(into: [copies[2]])
        #expect(await until { self.rig.told.last?.contains(.library) == true })
        let listed = try await rig.library.tracks(copies.map(\.id))
        #expect(listed.map(\.coverPath) == ["/dev/null", nil, "/dev/zero"])
    }

    @Test("What the cache removed is forgotten everywhere; what was shown last is not removed")
    func tidies() async throws {
        rig.http.answer = picture
        rig.library.put(profile: [pictured(1), pictured(2, nil)])
        await rig.covers.cover(of: pictured(1))
        try await rig.library.setCover("/gone.jpg", of: track(2).id)
        rig.pictures.leave(["/dev/null"])
        await rig.covers.tidy()
        #expect(rig.pictures.kept == ["/dev/null"] && rig.covers.path(of: track(1).id) == "/dev/null")
        #expect(try await rig.library.tracks([track(1).id, track(2).id]).map(\.coverPath) == ["/dev/null", nil])
        rig.pictures.leave(nil)
        await rig.covers.tidy()
        #expect(rig.covers.path(of: track(1).id) != nil)
        rig.pictures.leave([])
        await rig.covers.tidy()
        #expect(rig.covers.path(of: track(1).id) == nil)
    }
}
