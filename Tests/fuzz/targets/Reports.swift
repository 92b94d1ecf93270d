@testable import NyanCore
@testable import NyanDBus
@testable import NyanWire
@testable import nyanctl

extension Fuzz {
    /// What the client shows of whatever the daemon, or somebody under its name, answers: values made of the bytes, read as
    /// both sides read them, and printed in every way.
    static let reports: [String: Target] = [
        "status": { bytes in
            var making = Making(bytes)
            let now = making.real()
            var sung = SungLines()
            while !making.isAtEnd {
                guard let value = making.values("a{sv}").first, let report = StatusReport(value) else { continue }
                show(report)
                let again = StatusReport(report.busValue)
                hold(again == report, "a report reads back: \(report) \(String(describing: again))")
                _ = sung.take(report, at: now)
                if let id = sung.track,
                    let lyrics = NyanClient.lyrics([.string(id.description)] + making.values("a(xs)s"))
                {
                    _ = sung.take(lyrics.lyrics, of: lyrics.id)
                    _ = JSONText.encode(LyricsDocument(lyrics.id, lyrics.lyrics))
                }
                _ = sung.due(at: now)
                if let pause = sung.pause(at: now) { hold(pause <= 100_000, "a wait is within a day or so: \(pause)") }
            }
        },
        "listings": { bytes in
            var making = Making(bytes)
            let columns = [nil, 20, 40, 80, 200][Int(making.byte()) % 5]
            while !making.isAtEnd {
                if let tracks = making.values("a(sssssubsbbssx)").first.flatMap(TrackCoding.listedTracks) {
                    lines(TrackTable.lines(tracks, columns: columns), columns)
                    tracks.forEach { _ = JSONText.encode(TrackDocument($0)) }
                    hold(TrackCoding.listedTracks(TrackCoding.list(tracks)) == tracks, "tracks read back")
                    hold(TrackSheet.tracks(TrackSheet.bytes(tracks)) == tracks, "a sheet reads back")
                    _ = PlayTimeText.near(tracks.compactMap(\.track.date), now: 1_800_000_000)
                    tracks.forEach { _ = $0.track.date.map(PlayTimeText.utc) }
                }
                if let rows = making.values("a(ssssxxssx)").first.flatMap(DownloadCoding.reports) {
                    lines(DownloadTable.lines(rows, columns: columns), columns)
                    rows.forEach { _ = (DownloadText.line($0), JSONText.encode(DownloadDocument($0))) }
                    _ = DownloadText.summary(rows)
                    if let columns { _ = DownloadBars.lines(rows, columns: columns, height: 10) }
                    _ = DownloadWait(rows)
                }
                if let lists: [ListedPlaylist] = making.values("a(sssubb)").first.flatMap(PlaylistCoding.listed) {
                    lines(PlaylistTable.lines(lists, columns: columns), columns)
                }
            }
        },
        "answers": { bytes in
            var making = Making(bytes)
            while !making.isAtEnd {
                if let rules = making.values("a(ssuuuuuu)").first.flatMap(KeepCoding.rules) {
                    rules.forEach { rule in
                        _ = KeepText.row(rule) { $0 }
                        _ = JSONText.encode(KeptDocument(rule))
                    }
                }
                if let sites = making.values("a(ssuuusssxss)").first.flatMap(ScrobbleCoding.reports) {
                    sites.forEach { site in
                        _ = (ScrobbleText.row(site) { $0 }, ScrobbleText.notes(site))
                        _ = JSONText.encode(ScrobbleDocument(site.site, site))
                    }
                }
                if let findings = making.values("a(ssssasas)").first.flatMap(FindingCoding.findings) {
                    _ = FindingText.lines(findings)
                }
                _ = making.values("a(xssbs)").first.flatMap(PersonCoding.people)
                _ = SyncCoding.news(making.values("a(sss)u"))
                read(.structure(making.values("vv")))
            }
        },
        "ui": { bytes in
            var making = Making(bytes)
            var state = UIState(size: Size(columns: Int(making.byte()), rows: Int(making.byte() & 63)))
            var now = 0.0
            while !making.isAtEnd {
                guard let event = event(&making) else { continue }
                _ = state.handle(event, at: now)
                now += Double(making.byte()) / 8
                let frame = UIView().frame(state, at: now)
                hold(frame.rows.count == max(0, state.size.rows), "a screen has its rows")
                for row in frame.rows {
                    hold(row.allSatisfy { isTame($0.text) }, "a screen holds no controls")
                    hold(DisplayText.columns(row.map(\.text).joined()) <= max(0, state.size.columns), "a row fits")
                }
                hold(state.nextChange(at: now).map { $0 >= 0 && $0 <= 100_000 } ?? true, "a wait is a length")
            }
        },
    ]

    private static func lines(_ lines: [String], _ columns: Int?) {
        guard let columns else { return }
        for line in lines { hold(DisplayText.columns(line) <= columns, "a line fits: \(line)") }
    }

    static func show(_ report: StatusReport) {
        _ = (StatusText.block(report), JSONText.encode(StatusDocument(report)))
        for columns in [10, 40, 80] {
            hold(DisplayText.columns(StatusText.line(report, columns: columns)) <= columns, "a status fits")
            let line = PlayerLine(report, columns: columns)
            hold(DisplayText.columns(line.text(position: report.position)) <= columns, "the player's line fits")
            hold(line.pause(at: report.position).map { $0 >= 0.01 && $0 <= 2 } ?? true, "a second is a second")
        }
        for name in StatusFormat.bars.keys.sorted() {
            let shown = (try? StatusFormat("@" + name))?.text(of: report)
            hold(shown?.contains("\n") == false, "a bar's line is one")
        }
        let words = StatusFormat.words.map { "{\($0)}" }.joined()
        _ = (try? StatusFormat(words))?.text(of: report)
    }

    private static func event(_ making: inout Making) -> UIEvent? {
        switch making.byte() % 12 {
        case 0: making.values("a{sv}").first.flatMap(StatusReport.init).map { .status($0) }
        case 1: .absent
        case 2: making.values("a(ssssxxssx)").first.flatMap(DownloadCoding.reports).map { .downloads($0) }
        case 3: making.values("a(ssssxxssx)").first.flatMap(DownloadCoding.reports).map { .downloadsChanged($0) }
        case 4: making.values("as").first?.strings.map { .downloadsRemoved($0.compactMap { TrackID($0) }) }
        case 5:
            making.values("a(sssssubsbbssx)").first.flatMap(TrackCoding.listedTracks).map {
                .listed(UITab.allCases[$0.count % 5], $0)
            }
        case 6: .syncing(Int(making.number()), Int(making.number()))
        case 7: .screen(.resized(Size(columns: Int(making.byte()), rows: Int(making.byte() & 63))))
        case 8:
            .screen(.mouse(.click, at: Place(row: Int(making.number() & 127), column: Int(making.number() & 511))))
        case 9: .screen(.pasted(making.string()))
        case 10: making.string().first.map { .screen(.key(.text($0))) }
        default:
            .screen(.key([.up, .down, .enter, .escape, .tab, .left, .right, .end, .backspace][Int(making.byte() % 9)]))
        }
    }
}
