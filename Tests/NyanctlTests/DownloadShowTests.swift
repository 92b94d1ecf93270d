import NyanCore
import NyanWire
import Testing

@testable import nyanctl

/// Rows of a test: `total` 200 where nothing else is said.
private nonisolated func row(
    _ title: String, _ state: Download.State, _ received: Int64 = 0, _ total: Int64? = nil, why: String? = nil,
    speed: Int64? = nil, audio: Int64 = 2
) -> DownloadReport {
    DownloadReport(
        id: TrackID(owner: 1, audio: audio), artist: title.isEmpty ? "" : "A", title: title, state: state,
        received: received, total: total, problem: why.map { .init(code: "x", message: $0) }, speed: speed)
}

/// Titles that are hard to line up.
private let titles = ["T", "Песня й́", "彼女は最高の友達です", "Кот 🐈 и 👨‍👩‍👧", "\u{202E}RTL", "a\u{1B}[2Jb", ""]

@Suite("Downloads in words")
struct DownloadTextTests {
    @Test("A change for pipes says the state, the name and why, and not how far it is")
    func line() {
        #expect(DownloadText.line(row("T", .running, 50, 200)) == "running  A – T")
        #expect(DownloadText.line(row("T", .running, 60, 200, speed: 9)) == "running  A – T")
        #expect(DownloadText.line(row("T", .failed, why: "disk full")) == "failed  A – T: disk full")
        #expect(DownloadText.line(row("T", .waiting, why: "busy")) == "waiting  A – T: busy")
        #expect(DownloadText.line(row("T", .done, 3_400_000, 3_400_000)) == "done  A – T (3.4 MB)")
        #expect(DownloadText.line(row("", .done)) == "done  1_2")
    }

    @Test(
        "A percentage is told of what has begun and whose size is known, and stays within 0 to 100",
        arguments: [
            (row("T", .running, 50, 200), "25 %"), (row("T", .running, 0, 200), "0 %"),
            (row("T", .waiting, 0, 200), ""),
            (row("T", .paused, 199, 200), "99 %"), (row("T", .running, 500, 200), "100 %"), (row("T", .running, 5), ""),
            (row("T", .running, .max, 1), "100 %"), (row("T", .done, 200, 200), ""), (row("T", .running, 1, 0), ""),
        ])
    func percent(row: DownloadReport, text: String) { #expect(DownloadText.percent(row) == text) }

    @Test("Sizes, speed and time left are for people")
    func numbers() {
        #expect(DownloadText.size(row("T", .running, 3_400_000, 7_600_000)) == "3.4/7.6 MB")
        #expect(DownloadText.size(row("T", .running, 512_000, 7_600_000)) == "512 kB/7.6 MB")
        #expect(DownloadText.size(row("T", .waiting, 0, 7_600_000)) == "7.6 MB")
        #expect(DownloadText.size(row("T", .running, 512_000)) == "512 kB")
        #expect(DownloadText.size(row("T", .waiting)) == "")
        #expect(DownloadText.speed(row("T", .running, 1, 2, speed: 1_250_000)) == "1.2 MB/s")
        #expect(DownloadText.left(row("T", .running, 100, 1300, speed: 100)) == "0:12")
        #expect(DownloadText.left(row("T", .running, 0, 3_700_000, speed: 1000)) == "1:01:40")
        for lost in [row("T", .running, 1, 2), row("T", .running, 1, 2, speed: 0), row("T", .running, 3, 2, speed: 5)] {
            #expect(DownloadText.left(lost) == "")
        }
        #expect(DownloadText.left(row("T", .paused, 1, 9, speed: 1)) == "")
    }

    @Test("All are summed up, those that run first, with the speed of all")
    func summary() {
        let rows = [
            row("T", .done), row("T", .running, 1, 2, speed: 1000), row("T", .running, 1, 2, speed: 500),
            row("T", .failed), row("T", .waiting),
        ]
        #expect(DownloadText.summary(rows) == "2 running, 1 waiting, 1 failed, 1 done  1.5 kB/s")
        #expect(DownloadText.summary([row("T", .paused)]) == "1 paused")
    }

    @Test("What a command did is said with its number; what is already there is no news")
    func words() {
        #expect(DownloadWords.queued(3, named: 5) == "3 queued, 2 already there")
        #expect(DownloadWords.queued(3, named: 3) == "3 queued")
        #expect(DownloadWords.queued(0, named: 1) == "already there")
        #expect(DownloadWords.queued(0, named: 2) == "all 2 already there")
        #expect(DownloadWords.queued(1, named: 4, refused: 2) == "1 queued, 1 already there")
        #expect(DownloadWords.queued(0, named: 2, refused: 2) == nil)
        #expect(DownloadWords.queued(0, named: nil) == "nothing new to download")
        #expect(DownloadWords.queued(450, named: nil) == "450 queued")
        #expect(
            DownloadWords.done("Cancel", 2) == "2 cancelled" && DownloadWords.done("Retry", 0) == "nothing to try again"
        )
        #expect(DownloadWords.done("Pause", 1) == "1 paused" && DownloadWords.done("Resume", 0) == "nothing is paused")
    }

    @Test("Where nothing runs the reason is told, if the daemon's state has one")
    func standstill() {
        #expect(DownloadWords.standstill(StatusReport(state: .stopped, isSignedIn: true)) == nil)
        let offline = StatusReport(state: .stopped, isOfflineMode: true, isSignedIn: true)
        #expect(DownloadWords.standstill(offline)?.contains("offline off") == true)
        #expect(DownloadWords.standstill(StatusReport(state: .stopped))?.contains("login") == true)
        #expect(DownloadWords.standstill(StatusReport(state: .stopped, isOnline: false, isSignedIn: true)) != nil)
    }
}

@Suite("The table of downloads")
struct DownloadTableTests {
    @Test("Columns that no row uses are not there; the others line up")
    func plain() {
        let rows = [row("T", .waiting), row("T", .failed, why: "disk full"), row("Песня", .paused, 1, 2)]
        #expect(
            DownloadTable.lines(rows, columns: nil) == [
                "1  waiting               A – T", "2  failed                A – T: disk full",
                "3  paused   50 %  1/2 B  A – Песня",
            ])
        #expect(DownloadTable.lines([row("T", .done)], columns: nil) == ["1  done  A – T"])
    }

    @Test("80 columns show everything, 40 the percentage and what fits of the name, and none is wider than asked")
    func widths() {
        let rows = titles.enumerated().map { place, title in
            row(title, .running, 3_400_000, 7_600_000, speed: 1_200_000, audio: Int64(place))
        }
        #expect(
            DownloadTable.lines(rows, columns: 80)[1]
                == "2  running  44 %  3.4/7.6 MB  1.2 MB/s  0:04  A – Песня й́")
        #expect(DownloadTable.lines(rows, columns: 40)[1] == "2  running  44 %  0:04  A – Песня й́")
        for columns in 1...100 {
            for line in DownloadTable.lines(rows, columns: columns) { #expect(DisplayText.columns(line) <= columns) }
        }
    }

    @Test("A reason has most of the room, and of the name a part stays", arguments: [40, 60, 80])
    func reasons(columns: Int) {
        let long = row(
            "Очень длинное название, которое не кончается", .failed, why: "the disk is full; make room in it")
        let line = DownloadTable.lines([long], columns: columns)[0]
        #expect(line.contains("A – О") && line.contains("the disk is"))
        #expect(DisplayText.columns(line) == columns || line.hasSuffix("it"))
    }

    @Test("Ten thousand rows take no time to speak of")
    func many() {
        let rows = (0..<10_000).map { row("Песня \($0)", .waiting, why: $0 % 9 == 0 ? "busy" : nil, audio: $0) }
        let begin = ContinuousClock.now
        #expect(DownloadTable.lines(rows, columns: 80).count == 10_000)
        #expect(ContinuousClock.now - begin < .seconds(15))
    }
}

@Suite("Bars")
struct DownloadBarsTests {
    private func columns(_ columns: Int, _ height: Int = 5) -> [String] {
        let rows = [row("Песня", .running, 3_400_000, 7_600_000, speed: 1_200_000), row("T", .waiting, why: "busy")]
        return DownloadBars.lines(rows, columns: columns, height: height)
    }

    @Test("A row shows what has room: name and percentage first, then bar, time left, speed and size")
    func narrow() {
        #expect(columns(20) == ["A – Песня       44 %", "waiting: busy  A – T", "1 running, 1 waitin…"])
        #expect(columns(40)[0] == "A – Песня               ━━━─────    44 %")
        #expect(columns(50)[0].hasSuffix("44 %     0:04"))
        #expect(columns(79)[0].hasSuffix("━━━━━────────    44 %     3.4/7.6 MB   1.2 MB/s     0:04"))
        #expect(columns(79)[2] == "1 running, 1 waiting  1.2 MB/s")
    }

    @Test("No line is wider than the terminal, and there are never more than it has rows", arguments: [1, 2, 3, 5, 40])
    func fits(height: Int) {
        let rows =
            titles.flatMap { title in (0..<6).map { _ in row(title, .running, 1, 2) } }
            + titles.map { row($0, .waiting, why: "the server is busy") } + [row("T", .done)]
        for columns in 1...120 {
            let lines = DownloadBars.lines(rows, columns: columns, height: height)
            #expect(lines.count == min(height, 42 + 3 + 1))
            for line in lines { #expect(DisplayText.columns(line) <= columns) }
        }
        #expect(DownloadBars.lines([], columns: 30, height: height).isEmpty)
    }

    @Test("Where the whole is not known the row says what is there")
    func unknown() {
        #expect(DownloadBars.lines([row("T", .running, 1500)], columns: 30, height: 3)[0].hasSuffix("1.5 kB"))
    }
}

@Suite("Lines that are drawn over")
struct LiveBlockTests {
    @Test("A terminal that became narrower has wrapped what was drawn; one that became wider has not")
    func wrapped() {
        let lines = ["0123456789", "彼女は最高", "", "abc"]
        #expect(LiveBlock.rows(of: lines, drawnAt: 20, columns: 20) == 4)
        #expect(LiveBlock.rows(of: lines, drawnAt: 20, columns: 30) == 4)
        #expect(LiveBlock.rows(of: lines, drawnAt: 20, columns: 5) == 2 + 2 + 1 + 1)
        #expect(LiveBlock.rows(of: lines, drawnAt: 20, columns: 0) == 4)
    }

    @Test("The first block moves nothing; the next goes up over it, and clears each line behind its text")
    func escapes() {
        #expect(LiveBlock.text(["a"], above: [], over: 0) == "\u{1b}[?7la\u{1b}[K\n\u{1b}[?7h")
        #expect(
            LiveBlock.text(["b"], above: ["done"], over: 2)
                == "\u{1b}[?7l\r\u{1b}[2Adone\u{1b}[K\nb\u{1b}[K\n\u{1b}[J\u{1b}[?7h")
    }
}

@Suite("Rows that are followed")
struct DownloadRowsTests {
    @Test("Changes are taken over in place, new ones at the end, and what left is gone")
    func changes() {
        var rows = DownloadRows()
        rows.set([row("a", .waiting, audio: 1), row("b", .waiting, audio: 2)])
        rows.take([row("b", .running, 1, 2, speed: 5, audio: 2), row("c", .waiting, audio: 3)])
        #expect(rows.all.map(\.title) == ["a", "b", "c"] && rows[TrackID(owner: 1, audio: 2)]?.state == .running)
        rows.forgetSpeeds(except: [TrackID(owner: 1, audio: 2)])
        #expect(rows.all[1].speed == 5)
        rows.forgetSpeeds(except: [])
        #expect(rows.all[1].speed == nil)
        rows.remove([TrackID(owner: 1, audio: 1), TrackID(owner: 9, audio: 9)])
        #expect(rows.all.map(\.title) == ["b", "c"] && rows[TrackID(owner: 1, audio: 3)]?.title == "c")
    }

    @Test("The document of rows encoded one by one is the document of the list")
    func documents() {
        var documents = DownloadDocuments()
        var rows = titles.enumerated().map { row($1, .running, 1, 2, why: "no", audio: Int64($0)) }
        #expect(documents.text(rows) == JSONText.encode(rows.map { DownloadDocument($0) }))
        rows[2].received = 7
        rows.removeFirst()
        #expect(documents.text(rows) == JSONText.encode(rows.map { DownloadDocument($0) }))
        #expect(documents.text([]) == "[]")
    }

    @Test("The JSON of a row has exactly its keys, absent values null")
    func keys() {
        #expect(
            JSONText.encode(DownloadDocument(row("T", .waiting)))
                == #"{"artist":"A","error":null,"id":"1_2","received":0,"speed":null,"state":"waiting","#
                + #""timeLeft":null,"title":"T","total":null}"#)
        #expect(
            JSONText.encode(DownloadDocument(row("T", .running, 5, 25, speed: 3))).contains(
                #""timeLeft":7,"title":"T""#))
    }

    @Test("What was told of within five seconds is fresh")
    func fresh() {
        var fresh = FreshRows()
        let start = ContinuousClock.now
        fresh.note(.changed([row("a", .running, audio: 1), row("b", .done, audio: 2)]), at: start)
        #expect(fresh.ids == [TrackID(owner: 1, audio: 1)])
        fresh.note(.tick, at: start + .seconds(4))
        #expect(fresh.ids.count == 1)
        fresh.note(.tick, at: start + .seconds(5))
        #expect(fresh.ids.isEmpty)
    }
}
