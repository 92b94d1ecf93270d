import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// The current track's cover over what happens while it is tried for.
@Suite("The current cover", .timeLimit(.minutes(1)))
final class CoverWatchTests {
    private let rig = Rig()
    private let picture = HTTPResponse(status: 200, headers: [:], body: [1])

    private func pictured(_ number: Int64) -> Track {
        var track = track(number)
        track.coverURL = "https://media.test/\(number).jpg"
        return track
    }

    private func setOffline(_ on: Bool) {
        rig.connectivity.setOfflineMode(on)
        rig.hub.flush()
    }

    @Test("Offline mode ends the tries, with no further look at anything; its end begins them anew")
    func offline() async throws {
        rig.covers.watch(pictured(1))
        #expect(await until { self.rig.time.waits == [.seconds(5)] && self.rig.http.requests == 1 })
        setOffline(true)
        rig.time.advance(by: .seconds(5))
        await settle()
        rig.library.knownLatch.shut()
        await settle()
        #expect(rig.library.knownLatch.held == 0 && rig.time.waits.isEmpty)
        rig.library.knownLatch.open()
        #expect(rig.http.requests == 1)
        rig.http.answer = picture
        setOffline(false)
        #expect(await until { self.rig.covers.path(of: track(1).id) == "/dev/null" })
        #expect(rig.http.requests == 2 && rig.time.waits.isEmpty)
    }

    @Test("While the picture of before is shown, the new one is tried for all the same", arguments: [true, false])
    func newer(_ byNetwork: Bool) async throws {
        rig.library.put(profile: [pictured(1)])
        try await rig.library.setCover("/dev/null", of: track(1).id)
        if byNetwork {
            rig.connectivity.failed(.noNetwork)
            rig.hub.flush()
        }
        rig.covers.watch(pictured(1))
        #expect(await until { self.rig.time.waits == [.seconds(5)] && self.rig.http.requests == 1 })
        #expect(rig.covers.path(of: track(1).id) == "/dev/null")
        rig.http.answer = picture
        rig.pictures.put(at: "/dev/zero")
        if byNetwork {
            rig.connectivity.succeeded()
            rig.hub.flush()
        } else {
            rig.time.advance(by: .seconds(5))
        }
        #expect(await until { self.rig.covers.path(of: track(1).id) == "/dev/zero" })
        await settle()
        #expect(rig.time.waits.isEmpty && rig.http.requests == 2)
    }

    @Test("A picture that comes while the cache is brought within its bounds is not forgotten with those that went")
    func meanwhile() async throws {
        rig.http.answer = picture
        rig.library.put(profile: [pictured(1), pictured(2)])
        await rig.covers.cover(of: pictured(1))
        rig.pictures.put(at: "/dev/zero")
        rig.pictures.leave([])
        rig.pictures.whileShrinking { [covers = rig.covers, fresh = pictured(2)] in _ = await covers.cover(of: fresh) }
        await rig.covers.tidy()
        #expect(rig.covers.path(of: track(1).id) == nil && rig.covers.path(of: track(2).id) == "/dev/zero")
        let listed = try await rig.library.tracks([track(1).id, track(2).id])
        #expect(listed.map(\.coverPath) == [nil, "/dev/zero"])
    }
}
