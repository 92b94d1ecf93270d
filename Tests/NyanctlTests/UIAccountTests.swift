import NyanCore
import NyanDBus
import NyanWire
import Testing

@testable import nyanctl

@Suite("The ui, the profile and the search")
struct UIAccountTests {
    private static let nothing: [BusValue] = [.array([], of: "(ss)"), .structure([.string(""), .string("")])]
    private static let remove = UICall(.profile, "Remove", .strings(["1_1"]), patience: .many)
    private static let restore = UICall(.profile, "Restore", .string("7_1"), patience: .many)

    /// A profile of two tracks, both of which were searched for and found, and one of which was removed.
    private func removed() -> UIState {
        var tracks = UIKit.tracks(2)
        tracks[0].isAdded = true
        var state = UIKit.state(tracks)
        state.keys(.text("3"), .text("/"))
        state.types("кот")
        state.keys(.enter)
        _ = state.handle(.found("кот", tracks), at: 0)
        _ = state.handle(.answered(Self.remove, .success([.strings(["7_1"])] + Self.nothing)), at: 0)
        return state
    }

    @Test("What was not put back can be put back still, and what was put back has its mark again")
    func undo() {
        var state = removed()
        #expect(state.list[0]?.isAdded == false)
        #expect(state.keys(.text("u")) == [.call(Self.restore)])
        #expect(state.keys(.text("u")) == [])
        _ = state.handle(.answered(Self.restore, .failure(.silent)), at: 0)
        #expect(state.keys(.text("u")) == [.call(Self.restore)])
        _ = state.handle(.answered(Self.restore, .success([.string("7_1"), .bool(false)])), at: 0)
        #expect(state.list[0]?.isAdded == true)
        #expect(state.keys(.text("u")) == [])
    }

    @Test("What plays is marked once it was added, and what was refused is not")
    func added() {
        var state = removed()
        _ = state.handle(.status(UIKit.status(.playing, playing: UIKit.track(2), place: 1, of: 1)), at: 0)
        state.keys(.text("l"))
        let like = UICall(.profile, "Like", patience: .many)
        let reason = BusValue.structure([.string("x"), .string("No")])
        let stop: [BusValue] = [.strings([]), .strings([]), Self.nothing[0], reason]
        _ = state.handle(.answered(like, .success(stop)), at: 0)
        #expect(state.list[1]?.isAdded == false)
        // The next track plays when the answer comes.
        _ = state.handle(.status(UIKit.status(.playing, playing: UIKit.track(9), place: 1, of: 1)), at: 0)
        _ = state.handle(.answered(like, .success([.strings(["7_2"]), .strings([])] + Self.nothing)), at: 0)
        #expect(state.list[1]?.isAdded == true)
    }

    @Test("Nothing of an account stays on the screen when it is signed out, and nothing can be undone in the next one")
    func signedOut() {
        var state = removed()
        _ = state.handle(.status(StatusReport(state: .stopped)), at: 0)
        #expect(state[.profile].count == 0 && state[.search].count == 0 && state.query.isEmpty)
        #expect(state.keys(.text("u")) == [])
        state.keys(.text("1"))
        #expect(UIView().frame(state, at: 0).text.contains("not signed in: `nyanctl login`"))
    }

    @Test("A daemon that came back without an account, or with another one, leaves nothing of the old one")
    func anotherAccount() {
        var state = removed()
        _ = state.handle(.absent, at: 0)
        _ = state.handle(.status(StatusReport(state: .stopped)), at: 0)
        #expect(state[.profile].count == 2)
        let refusal = ClientFailure.refused(Failure(.notSignedIn, "not signed in"))
        _ = state.handle(.notListed(.profile, refusal), at: 0)
        #expect(state[.profile].count == 0 && state[.search].count == 0 && state.lastRemoved == nil)
        state = removed()
        _ = state.handle(.listed(.profile, [UIKit.track(5)]), at: 0)
        #expect(state[.search].count == 2 && state.lastRemoved != nil)
        let other = ListedTrack(track: Track(id: TrackID(owner: 2, audio: 1), artist: "A", title: "B"))
        _ = state.handle(.listed(.profile, [other]), at: 0)
        #expect(state[.profile].count == 1 && state[.search].count == 0 && state.lastRemoved == nil)
    }

    private func head(_ state: UIState) -> String {
        UIView().frame(state, at: 0).text.split(separator: "\n", omittingEmptySubsequences: false)[1...2]
            .joined(separator: "\n")
    }

    @Test("A search that failed claims no results, and one that fails late is not mistaken for the newer one")
    func failedSearches() {
        var state = UIKit.state([])
        state.keys(.text("3"), .text("/"))
        state.types("a")
        state.keys(.enter)
        // Asked once more while it is under way.
        state.keys(.text("/"))
        #expect(state.keys(.enter) == [])
        _ = state.handle(.notFound("a", .silent), at: 0)
        #expect(head(state) == " the search for “a” failed\n VK gave no answer: y asks again")
        #expect(state.keys(.text("y")) == [.search("a")])
        _ = state.handle(.found("a", UIKit.tracks(3)), at: 0)
        #expect(head(state).hasPrefix(" 3 found for “a”"))
        state.keys(.text("/"))
        state.types("b")
        state.keys(.enter, .text("/"))
        state.types("c")
        #expect(state.keys(.enter) == [.search("abc")])
        _ = state.handle(.notFound("ab", .silent), at: 0)
        #expect(state.isSearching && state.notice == nil)
        _ = state.handle(.notFound("abc", .silent), at: 0)
        #expect(head(state).hasPrefix(" the search for “abc” failed; 3 found for “a”"))
        #expect(state.keys(.text("y")) == [.search("abc")])
        _ = state.handle(.absent, at: 0)
        _ = state.handle(.status(UIKit.status()), at: 0)
        #expect(head(state).hasPrefix(" the search for “abc” failed; 3 found for “a”"))
    }

    @Test("The open list is read anew by y, whichever it is")
    func anew() {
        var state = removed()
        #expect(state.keys(.text("y")) == [.search("кот")])
        state.keys(.text("2"))
        _ = state.handle(.listed(.music, []), at: 0)
        #expect(state.keys(.function(5)) == [.load(.music)])
        state.keys(.text("4"))
        #expect(state.keys(.text("y")) == [])
        state.keys(.text("5"))
        _ = state.handle(.listed(.queue, []), at: 0)
        #expect(state.keys(.text("y")) == [.load(.queue)])
        state = UIKit.state(UIKit.tracks(2))
        state.keys(.text("y"))
        let sync = UICall(.library, "Sync", patience: .list)
        #expect(state.handle(.answered(sync, .failure(.silent)), at: 0) == [.load(.profile)])
    }

    @Test("A folder that is not there is made after a yes, and the notice names the folder")
    func folder() {
        var state = UIKit.state(UIKit.tracks(1))
        #expect(state.handle(.folderIsNew("1_1", path: "/m/new"), at: 0) == [])
        #expect(UIView().frame(state, at: 0).text.contains("There is no folder “/m/new”. Make it? (y/n)"))
        let export = UICall.export("1_1", into: "/m/new")
        #expect(state.keys(.text("y")) == [.call(export)])
        let answer: [BusValue] = [.uint32(1), .uint32(0), .int64(5_000_000), .array([], of: "(sss)"), Self.nothing[1]]
        _ = state.handle(.answered(export, .success(answer)), at: 0)
        #expect(state.notice?.text.hasSuffix(", into /m/new") == true)
    }
}
