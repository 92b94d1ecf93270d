import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import nyanctl

/// `download` of whole lists, and its waiting while nothing can be written.
@Suite(.timeLimit(.minutes(1)))
struct DownloadListTests {
    @Test("A row of the last `playlists` names a playlist, its key included")
    func row() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let list = ListedPlaylist(
            playlist: Playlist(id: PlaylistID(owner: -5, number: 7), accessKey: "ab", title: "Theirs", count: 1))
        daemon.answers("Playlists.List", PlaylistCoding.list([list]), .string(""))
        daemon.answers("Downloads.AddPlaylist", .uint32(1), .array([], of: "(ss)"), .strings([]), .string(""))
        #expect(try await desk.ctl("download", "--playlist", "1").status == 5)
        #expect(try await desk.ctl("playlists").status == 0)
        #expect(try await desk.ctl("download", "--playlist", "1").status == 0)
        #expect(daemon.arguments["Downloads.AddPlaylist"] == [.string("-5_7_ab")])
    }

    @Test("A playlist or a filter is queued as a whole; what of it cannot be had is counted by reason and no error")
    func lists() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let refused = [("1_2", "taken away"), ("1_3", "not in your country"), ("1_4", "taken away")].map {
            BusValue.structure([.string($0), .string($1)])
        }
        daemon.answers(
            "Downloads.AddPlaylist", .uint32(5), .array(refused, of: "(ss)"), .strings([]), .string("shown as it was"))
        daemon.answers(
            "Downloads.AddProfile", .uint32(1), .array(Array(refused.prefix(1)), of: "(ss)"), .strings([]))
        let playlist = try await desk.ctl("download", "--playlist", "1_17")
        #expect(playlist.status == 0 && playlist.output.isEmpty)
        #expect(
            playlist.errors == """
                5 queued
                shown as it was
                2 cannot be had: taken away
                1 cannot be had: not in your country

                """)
        let filter = try await desk.ctl("--json", "download", "--matching", "кот")
        #expect(filter.status == 0 && filter.output == #"{"queued":1}"# + "\n")
    }

    @Test(
        "Not exactly one of tracks, --all, --playlist and --matching is wrong usage",
        arguments: ["download", "download --all 1_2", "download --playlist 1_2 --all", "download --matching  "])
    func usage(line: String) async throws {
        let desk = try Desk()
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let outcome = try await Program([Desk.programPath] + words, environment: desk.environment).outcome()
        #expect(outcome.status == 2 && outcome.errors.contains("nyanctl download"), "\(outcome)")
    }

    @Test(
        "Whoever waits for a list waits for its tracks, whatever becomes of strangers'",
        arguments: ["--playlist 1_17", "--matching x", "--all"])
    func strangers(words: String) async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let coming = BusValue.strings(["1_1"])
        daemon.answers(
            "Downloads.AddPlaylist", .uint32(1), .array([], of: "(ss)"), coming, .string(""))
        daemon.answers("Downloads.AddProfile", .uint32(1), .array([], of: "(ss)"), coming)
        let rows = [row(1, .done, nil), row(2, .failed, .network), row(3, .running, nil)]
        daemon.answers("Downloads.List", DownloadCoding.list(rows))
        let line = ["--json", "download", "--wait"] + words.split(separator: " ").map(String.init)
        let outcome = try await Program([Desk.programPath] + line, environment: desk.environment).outcome()
        #expect(outcome.status == 0 && outcome.output.contains("1_1"), "\(outcome)")
        #expect(!outcome.output.contains("1_2"))
    }

    private func row(_ number: Int64, _ state: Download.State, _ code: Failure.Code?) -> DownloadReport {
        DownloadReport(
            id: TrackID(owner: 1, audio: number), artist: "", title: "T", state: state,
            problem: code.map { .init(code: $0.rawValue, message: "because") })
    }

    @Test(
        "A download that waits for the disk is as good as failed for whoever waits; one that backs off is not",
        arguments: [(Failure.Code.diskFull, true), (.fileAccess, true), (.network, false), (.serverBusy, false)])
    func held(code: Failure.Code, isOver: Bool) {
        let wait = DownloadWait([row(1, .failed, code), row(2, .waiting, code), row(3, .done, nil)])
        #expect(wait.isOver == isOver)
        #expect(wait.failed.count == (isOver ? 2 : 1))
        #expect(!DownloadWait([row(1, .failed, code), row(2, .running, code)]).isOver)
    }
}
