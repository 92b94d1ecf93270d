import NyanCore
import Testing

@Suite("Those who wait", .timeLimit(.minutes(1)))
@MainActor struct WaitersTests {
    private let waiters = Waiters<Int, String>()

    /// Lets all that is ready run.
    private func settle() async { for _ in 0..<20 { await Task.yield() } }

    @Test("What is there already is not waited for, and is taken once")
    func there() async {
        var looks = 0
        let found = await waiters.wait(as: 1) {
            looks += 1
            return "there"
        }
        #expect(found == "there" && looks == 1 && waiters.isEmpty)
    }

    @Test("What comes between the look and the waiting is found: nobody waits for ever")
    func between() async {
        var looks = 0
        let found = await waiters.wait(as: 1) {
            looks += 1
            return looks == 2 ? "meanwhile" : nil
        }
        #expect(found == "meanwhile" && looks == 2 && waiters.isEmpty)
    }

    @Test("They are woken in their order, those that are meant, and some stand before others")
    func order() async {
        var woken: [String] = []
        var waiting = 0
        let line = waiters
        for mark in [1, 2, 3, 10] {
            Task { @MainActor in
                let word = await line.wait(
                    as: mark, before: { mark == 10 && $0 > 1 }, onWaiting: { waiting += 1 }, unless: { nil })
                woken.append("\(mark) \(word)")
            }
            await settle()
        }
        #expect(waiting == 4)
        line.wakeFirst(with: "first")
        await settle()
        line.wakeFirst(with: "next")
        await settle()
        line.wake(with: "meant", where: { $0 == 3 })
        await settle()
        line.wake(with: "rest")
        await settle()
        #expect(woken == ["1 first", "10 next", "3 meant", "2 rest"])
        line.wakeFirst(with: "nobody")
        #expect(line.isEmpty)
    }

    @Test("A moment that has come is not waited for, and comes as often as one likes")
    func moment() async {
        let moment = Moment()
        var passed = 0
        for _ in 0..<2 {
            Task { @MainActor in
                await moment.wait()
                passed += 1
            }
        }
        await settle()
        #expect(passed == 0 && !moment.hasCome)
        moment.come()
        moment.come()
        await settle()
        await moment.wait()
        #expect(passed == 2 && moment.hasCome)
    }
}

@Suite("Markup")
struct MarkupTests {
    @Test(
        "No letter and no mark hides a sign",
        arguments: [
            ("\u{D4E}<b>\u{D4E}&x", "\u{D4E}&lt;b&gt;\u{D4E}&amp;x"),
            ("a<\u{301}b&\u{301}", "a&lt;\u{301}b&amp;\u{301}"),
            ("Tom & Jerry", "Tom &amp; Jerry"), ("", ""),
        ])
    func signs(text: String, escaped: String) {
        #expect(Array(Markup.escaped(text).unicodeScalars) == Array(escaped.unicodeScalars))
        #expect(Array(Markup.quotable(text).unicodeScalars) == Array(escaped.unicodeScalars))
    }

    @Test("Between quotes, quotes are entities as well, and what markup cannot hold is left out")
    func quotes() {
        #expect(Markup.escaped("\"'\t\u{1}") == "\"'\t\u{1}")
        #expect(Markup.quotable("\"'\u{301}\t\u{1}\u{FFFE}x") == "&quot;&apos;\u{301} x")
    }
}
