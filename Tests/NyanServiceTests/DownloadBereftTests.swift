import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

@Suite(.timeLimit(.minutes(1)))
struct DownloadBereftTests {
    let rig = Rig()

    @Test("The row of a file that a death cut off from its removal goes with the next start; a kept file's row stays")
    func bereft() async throws {
        let copy = FinishedCopy(id: track(1).id, path: "/music/1.mp3", bytes: 5)
        rig.library.put(
            profile: [track(1), track(2)],
            downloads: [
                Download(track: track(1), state: .done, order: 1), Download(track: track(2), state: .done, order: 2),
                Download(track: track(3), state: .done, order: 3),
            ], copies: [copy])
        await rig.downloads.restore()
        #expect(rig.downloads.list.map(\.id) == [track(1).id])
        #expect(await until { self.rig.library.rows.keys.map { $0 } == [track(1).id] })
    }

    @Test("In a new library, whose copies may be on a disk that is away, the row of a finished file stays")
    func rebuilt() async throws {
        rig.library.put(profile: [track(1)], downloads: [Download(track: track(1), state: .done, order: 1)], copies: [])
        await rig.downloads.restore(sweeping: false)
        #expect(rig.downloads.list.map(\.id) == [track(1).id])
    }
}
