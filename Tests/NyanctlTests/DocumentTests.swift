import NyanCore
import NyanWire
import Testing

@testable import nyanctl

@Suite("JSON documents")
struct DocumentTests {
    @Test("A track has every key, absent values as null, and text as it is")
    func track() {
        let bare = ListedTrack(track: Track(id: TrackID(owner: -5, audio: 7), artist: "Ко\"т", title: "a/b\n🐈"))
        #expect(
            JSONText.encode(TrackDocument(bare))
                == #"{"added":false,"album":null,"artist":"Ко\"т","available":true,"cover":null,"downloaded":false,"#
                + #""duration":null,"explicit":false,"id":"-5_7","path":null,"title":"a/b\n🐈","unavailableReason":null}"#
        )
        let track = Track(
            id: TrackID(owner: 1, audio: 2), accessKey: "k", artist: "A", title: "T", album: "L", duration: 214,
            isAvailable: false, unavailableReason: "gone", isExplicit: true)
        let full = ListedTrack(track: track, isAdded: true, copyPath: "/m/a.mp3", coverPath: "/c/a.jpg")
        #expect(
            JSONText.encode(TrackDocument(full, position: 3, current: true))
                == #"{"added":true,"album":"L","artist":"A","available":false,"cover":"/c/a.jpg","current":true,"#
                + #""downloaded":true,"duration":214,"explicit":true,"id":"1_2","path":"/m/a.mp3","position":3,"#
                + #""title":"T","unavailableReason":"gone"}"#)
    }

    @Test("A play of the history has two more keys, in UTC and seconds")
    func play() {
        let listed = ListedTrack(track: Track(id: TrackID(owner: 0, audio: 7), artist: "", title: "T"))
        #expect(
            JSONText.encode(TrackDocument(listed, playedAt: PlayTimeText.utc(1_796_021_467), heard: 31.5))
                == #"{"added":false,"album":null,"artist":"","available":true,"cover":null,"downloaded":false,"#
                + #""duration":null,"explicit":false,"heard":31.5,"id":"0_7","path":null,"#
                + #""playedAt":"2026-11-30T06:51:07Z","title":"T","unavailableReason":null}"#)
    }

    @Test("A status has every key")
    func status() {
        #expect(
            JSONText.encode(StatusDocument(StatusReport(state: .stopped)))
                == #"{"audioOutput":"ok","buffered":null,"duration":null,"offlineMode":false,"online":true,"#
                + #""position":0,"problem":null,"queue":{"length":0,"position":null},"repeat":"off","shuffle":false,"#
                + #""signedIn":false,"sleep":null,"state":"stopped","track":null,"volume":1}"#)
        let report = StatusReport(
            state: .buffering, position: 12.345, duration: 214, volume: 0.8, shuffle: true, repeatMode: .track,
            queuePosition: 3, queueLength: 10, buffered: 0.93, isOnline: false, isOfflineMode: true, isSignedIn: true,
            output: .lost, problem: .init(code: "network", message: "no line"), sleepTimer: .remaining(90.5))
        #expect(
            JSONText.encode(StatusDocument(report))
                == #"{"audioOutput":"lost","buffered":0.93,"duration":214,"offlineMode":true,"online":false,"#
                + #""position":12.345,"problem":{"code":"network","message":"no line"},"queue":{"length":10,"#
                + #""position":3},"repeat":"track","shuffle":true,"signedIn":true,"#
                + #""sleep":{"remaining":90.5},"state":"buffering","track":null,"volume":0.8}"#)
        #expect(JSONText.encode(SleepDocument(.endOfTrack)) == #"{"atEndOf":"track"}"#)
    }

    @Test("A download, an account and an error have every key")
    func others() {
        let row = DownloadReport(
            id: TrackID(owner: 1, audio: 2), artist: "A", title: "T", state: .failed, received: 5,
            problem: .init(code: "disk-full", message: "no room"))
        #expect(
            JSONText.encode([DownloadDocument(row)])
                == #"[{"artist":"A","error":{"code":"disk-full","message":"no room"},"id":"1_2","received":5,"#
                + #""speed":null,"state":"failed","timeLeft":null,"title":"T","total":null}]"#)
        #expect(
            JSONText.encode(AccountDocument(Account(id: 9, name: "N", tracks: 3, login: "token", locationKind: "hls")))
                == #"{"id":9,"login":"token","name":"N","sound":"hls","tracks":3}"#)
        #expect(JSONText.encode(ErrorDocument(code: "c", message: "m")) == #"{"code":"c","message":"m"}"#)
    }
}
