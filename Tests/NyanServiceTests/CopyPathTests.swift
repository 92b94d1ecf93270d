import NyanCore
import Testing

@testable import NyanService

/// What a copy's path says.
@Suite("A copy's path")
struct CopyPathTests {
    @Test(
        "The ending is found behind any letter, and never in a folder's name",
        arguments: [
            ("/m/x.flac", ".flac"), ("/m/x\u{D4E}.FLAC", ".flac"), ("/m.x/\u{301}y", ".mp3"), ("/m/x", ".mp3"),
        ])
    func ending(path: String, ending: String) {
        let copy = FinishedCopy(id: TrackID(owner: 1, audio: 2), path: path, bytes: 1)
        #expect(copy.fileExtension == ending)
    }
}
