import Glibc
import Testing

@testable import NyanCore
@testable import NyanVK

/// Everything at full size and in every place, as `Tests/hostile/answers.py` asks for it: many minutes.
private nonisolated let isLong = getenv("NYAN_HOSTILE") != nil
private nonisolated let patience = isLong ? 60 : 3

@Suite("A VK that means harm", .timeLimit(.minutes(patience)))
struct HostileAnswerTests {
    /// Bytes of UTF-8 that a title with its subtitle, or somebody's two names, may have at most.
    private static let longestText = 2 * AnswerLimits.text + 16

    @Test(
        "every field of every answer wrong in turn costs one item at most, and no more than a failure",
        arguments: HostileCall.all)
    func everyField(call: HostileCall) async throws {
        let document = try JSONTree(call.answer)
        let whole = await call.outcome(Array(document.written.utf8))
        for path in document.paths where isLong || isWorth(path, of: call) {
            for (number, spoiling) in (isLong ? Spoiling.long : Spoiling.short).enumerated()
            where isLong || call.method == "audio.get" || number % 6 == path.count % 6 {
                guard let spoilt = document.replacing(path[...], with: spoiling.value) else { continue }
                let outcome = await call.outcome(Array(spoilt.written.utf8))
                let place: Comment = "\(path) \(spoiling.name)"
                judge(outcome, place)
                // Within one element of the list nothing else may suffer.
                let names = path.prefix(call.list?.count ?? 0)
                if let list = call.list, path.count > list.count, names.elementsEqual(list.map { .member($0) }),
                    !spoiling.breaksAll
                {
                    #expect((outcome.items ?? 0) >= (whole.items ?? 0) - 1, place)
                }
            }
        }
    }

    /// The elements of a list are alike, and so is what stands deep within the same kind of object.
    private func isWorth(_ path: JSONTree.Path, of call: HostileCall) -> Bool {
        let depth = call.list?.count ?? 1
        let isOther = path.count > depth && path[depth] == .element(1) || path.contains(.element(2))
        return !isOther && path.count <= depth + (call.isLikeAnother ? 1 : call.method == "audio.get" ? 9 : 2)
    }

    /// Whatever came must be fit for everything that is done with it afterwards.
    private func judge(_ outcome: HostileCall.Outcome, _ place: Comment) {
        if let failure = outcome.failure {
            #expect(!failure.message.contains(token) && failure.message.utf8.count < 1000, place)
        }
        for track in outcome.tracks {
            #expect((0...AnswerLimits.duration).contains(track.duration), place)
            _ = Listen(track, length: track.length, began: 1_790_000_000)
            let texts = [track.artist, track.title, track.album ?? "", track.coverURL ?? "", track.accessKey ?? ""]
            for text in texts { #expect(text.utf8.count <= Self.longestText, place) }
            #expect(!texts.contains { $0.unicodeScalars.contains { $0.value < 0x20 } }, place)
            if let cover = track.coverURL { #expect(cover.hasPrefix("http"), place) }
        }
        for text in outcome.texts {
            #expect(text.utf8.count <= Self.longestText, place)
            #expect(!text.unicodeScalars.contains { $0.value < 0x20 }, place)
        }
    }
}
