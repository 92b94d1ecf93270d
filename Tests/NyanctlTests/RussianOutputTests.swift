import NyanCore
import NyanWire
import NyanWords
import Testing

@testable import nyanctl

/// Tables and lines in Russian: the words are translated, the columns still stand, data stays.
@Suite("Output in Russian")
struct RussianOutputTests {
    private func russian<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Words.$language.withValue(.russian, operation: body)
    }

    private func row(
        _ title: String, _ state: Download.State, _ received: Int64 = 0, _ total: Int64? = nil, why: String? = nil,
        speed: Int64? = nil
    ) -> DownloadReport {
        DownloadReport(
            id: TrackID(owner: 1, audio: 2), artist: "queue", title: title, state: state, received: received,
            total: total,
            problem: why.map { .init(code: "x", message: $0) }, speed: speed)
    }

    @Test("the table of downloads lines up its Russian words, and a track called “paused” keeps its name")
    func table() {
        let rows = [
            row("paused", .running, 3_400_000, 7_600_000, speed: 1_250_000),
            row("done", .waiting, why: "the queue is empty"),
            row("failed", .failed, why: "VK asks to wait (HTTP 429)"), row("off", .done, 3_400_000, 3_400_000),
        ]
        let lines = russian { DownloadTable.lines(rows, columns: nil) }
        #expect(lines[0].contains("качается") && lines[0].contains("3,4/7,6 МБ") && lines[0].contains("1,2 МБ/с"))
        #expect(lines[0].hasSuffix("queue – paused"))
        #expect(lines[1].hasSuffix("queue – done: очередь пуста"))
        #expect(lines[2].hasSuffix("queue – failed: VK просит подождать (HTTP 429)"))
        // The names begin in one column.
        let places = lines.map { line in
            DisplayText.columns(line.prefix(upTo: line.firstRange(of: "queue –")?.lowerBound ?? line.startIndex))
        }
        #expect(Set(places).count == 1 && places[0] > 10, "\(lines)")
        for width in [20, 40, 60, 100] {
            for line in russian({ DownloadTable.lines(rows, columns: width) }) {
                #expect(DisplayText.columns(line) <= width, "\(line)")
            }
        }
    }

    @Test("bars have the same widths in both languages and at all times", arguments: [40, 60, 80, 120])
    func bars(columns: Int) {
        let rows = [
            row("a", .running, 1, 900_000_000, speed: 999_000), row("b", .running, 12_345_678, 99_000_000, speed: 5),
        ]
        let (english, russian) = (
            DownloadBars.lines(rows, columns: columns, height: 9).dropLast(),
            russian { DownloadBars.lines(rows, columns: columns, height: 9).dropLast() }
        )
        #expect(english.map { DisplayText.columns($0) } == russian.map { DisplayText.columns($0) })
    }

    @Test("the status is told in Russian, its track is not")
    func status() {
        var report = StatusReport(state: .paused)
        report.volume = 0.8
        report.isOnline = false
        report.problem = .init(code: "offline", message: "the queue is empty")
        #expect(
            russian { StatusText.block(report) }
                == "на паузе\nгромкость 80 %, по порядку, без повтора\nвы не вошли, нет сети\nнеполадка: очередь пуста")
    }

    @Test("what bars of other programs read stays as it is: {state} is a code")
    func format() throws {
        let format = try StatusFormat("{state} {problem}")
        var report = StatusReport(state: .paused)
        report.problem = .init(code: "x", message: "the queue is empty")
        #expect(russian { format.text(of: report) } == "paused очередь пуста")
    }

    @Test("playlists are counted in Russian, numbers below numbers")
    func playlists() {
        let rows = [1, 22, 105].map { count in
            ListedPlaylist(
                playlist: Playlist(id: PlaylistID(owner: 1, number: 2), title: count == 1 ? "" : "kept", count: count))
        }
        #expect(
            russian { PlaylistTable.lines(rows, columns: nil) } == [
                " 1  Без названия    1 трек    1_2", " 2  kept           22 трека   1_2",
                " 3  kept          105 треков  1_2",
            ])
    }

    @Test("the help is Russian as a whole, its commands, options and examples are not")
    func help() {
        let help = russian { HelpText.all }
        #expect(help.hasPrefix("использование: nyanctl"))
        for command in CommandTable.all { #expect(help.contains("\n  \(command.name)")) }
        let isRussian = { (text: Substring) in text.contains { ("а"..."я").contains($0) } }
        // Every line has Russian in it.
        for line in help.split(separator: "\n").dropFirst() where !isRussian(line) { Issue.record("\(line)") }
        for command in CommandTable.all {
            let (page, english) = (russian { HelpText.command(command) }, HelpText.command(command))
            let examples = command.manual.examples.map { "  \($0.line)" }
            #expect(examples.allSatisfy(page.contains))
            // Nothing but usage and examples is the same in both.
            let same = Set(page.split(separator: "\n")).intersection(english.split(separator: "\n")).map(String.init)
            let plain = Set(same).subtracting(examples).filter { !$0.hasSuffix("`.") }
            #expect(plain.allSatisfy { $0.hasPrefix("               ") }, "\(plain)")
        }
    }
}
