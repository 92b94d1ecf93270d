import NyanCore
import NyanWords
import Testing

@testable import NyanService

/// Notifications in the person's language.
@Suite("Notices in Russian")
struct SpokenNoticeTests {
    @Test("the end of downloads is told in Russian, a track keeps its names")
    func spoken() {
        Words.$language.withValue(.russian) {
            let batch = DownloadBatch(finished: 12, failed: 1, reason: "the queue is empty")
            let notice = Notice(.downloads, title: batch.title, body: batch.body).spoken
            #expect(notice.title == "Загрузки завершены")
            #expect(notice.body == "Скачано 12 треков, не скачалось: 1: очередь пуста")
            let track = Notice(.track, title: "paused", body: "the queue is empty", picture: "/c.jpg")
            #expect(track.spoken == track)
        }
    }
}
