import NyanCore
import NyanDBus
import NyanWire
import Testing

/// Tracks with every kind of field, absent and present.
nonisolated let sampleTracks: [ListedTrack] = [
    ListedTrack(track: Track(id: TrackID(owner: 1, audio: 2), artist: "", title: "")),
    ListedTrack(
        track: Track(
            id: TrackID(owner: -2_001_550_144, audio: 92_550_144), accessKey: "ab12", artist: "Кино",
            title: "Группа крови 🩸 \"'\\", album: "Альбом", duration: 285, isAvailable: false,
            unavailableReason: "нет в вашей стране", isExplicit: true, date: 1_700_000_000),
        isAdded: true, copyPath: "/Музыка/a b.mp3", coverPath: "/c/e\u{301}.jpg"),
]

@Suite("What travels on the bus")
struct CodingTests {
    @Test("A track comes back as it was sent", arguments: sampleTracks)
    func track(listed: ListedTrack) {
        let value = TrackCoding.value(listed)
        #expect(value.signatureOfValue == TrackCoding.signature)
        #expect(TrackCoding.listedTrack(value) == listed)
    }

    @Test("A list comes back as it was sent, also an empty one")
    func list() {
        for tracks in [[], sampleTracks] {
            let value = TrackCoding.list(tracks)
            #expect(value.signatureOfValue == TrackCoding.listSignature)
            #expect(TrackCoding.listedTracks(value) == tracks)
        }
    }

    @Test("A value of another shape is no track and no list")
    func notTracks() {
        let others: [BusValue] = [.string("1_2"), .structure([.string("1_2")]), .int64(1)]
        for value in others { #expect(TrackCoding.listedTrack(value) == nil) }
        #expect(TrackCoding.listedTracks(.string("x")) == nil)
        #expect(TrackCoding.listedTracks(.array([.structure([.string("1_2")])], of: "(s)")) == nil)
    }

    @Test("A status comes back as it was sent, what is absent is left out")
    func status() throws {
        let bare = StatusReport(state: .stopped)
        #expect(StatusReport(bare.busValue) == bare)
        let keys = try #require(bare.busValue.dictionary).keys.sorted()
        #expect(
            keys == [
                "audioOutput", "offlineMode", "online", "position", "queueLength", "repeat", "shuffle", "signedIn",
                "state", "volume",
            ])
        let full = StatusReport(
            state: .buffering, track: sampleTracks[1], position: 12.345, duration: 285, volume: 0.8, shuffle: true,
            repeatMode: .queue, queuePosition: 3, queueLength: 10, buffered: 0.93, isOnline: false,
            isOfflineMode: true, isSignedIn: true, output: .lost, problem: .init(code: "network", message: "нет сети"))
        #expect(full.busValue.signatureOfValue == "a{sv}")
        #expect(StatusReport(full.busValue) == full)
    }

    @Test("Numbers outside their ranges do not get in, and what is no status is none")
    func oddStatus() {
        let odd: [String: BusValue] = [
            "state": .string("playing"), "position": .double(.nan), "duration": .double(-1), "volume": .double(7),
            "buffered": .double(.infinity),
        ]
        #expect(StatusReport(.dictionary(odd)) == StatusReport(state: .playing))
        #expect(StatusReport(.dictionary(["state": .string("dancing")])) == nil)
        #expect(StatusReport(.dictionary([:])) == nil)
        #expect(StatusReport(.string("playing")) == nil)
    }

    @Test("A download comes back as it was sent, in each state", arguments: Download.State.allCases)
    func download(state: Download.State) {
        let reports = [
            DownloadReport(id: TrackID(owner: 1, audio: 2), artist: "", title: "", state: state),
            DownloadReport(
                id: TrackID(owner: -1, audio: 2), artist: "Кот", title: "🐈", state: state, received: 1 << 40,
                total: 1 << 41, problem: .init(code: "disk-full", message: "нет места"), speed: 123_456),
        ]
        let value = DownloadCoding.list(reports)
        #expect(value.signatureOfValue == DownloadCoding.listSignature)
        #expect(DownloadCoding.reports(value) == reports)
        #expect(DownloadCoding.reports(DownloadCoding.list([])) == [])
        #expect(DownloadCoding.reports(.strings(["x"])) == nil)
    }

    @Test("A failure keeps its code and its sentence", arguments: Failure.Code.allCases)
    func failure(code: Failure.Code) {
        let error = FailureCoding.busError(Failure(code, "что-то"))
        #expect(error.name.hasPrefix("org.nyantunes.Nyand1.Error."))
        #expect(FailureCoding.failure(error) == Failure(code, "что-то"))
    }

    @Test("A code only a newer daemon knows keeps its sentence; other errors are no failures of ours")
    func foreignFailure() {
        let newer = BusError(name: "org.nyantunes.Nyand1.Error.TooCute", message: "meow")
        #expect(FailureCoding.failure(newer) == Failure(.internal, "meow"))
        #expect(FailureCoding.failure(.timedOut()) == nil)
    }

    @Test(
        "Every code has its exit status",
        arguments: [
            (
                1,
                [
                    .unavailableTrack, .denied, .diskFull, .fileAccess, .damagedSound, .missingDecoder, .audioOutput,
                    .conflict, .unsupported, .cancelled, .internal,
                ]
            ),
            (2, [.badArgument]), (4, [.notSignedIn, .challengeNeeded, .clientRefused]), (5, [.notFound]),
            (6, [.network, .timeout, .serverBusy, .offline, .badAnswer, .expiredLocation]),
        ] as [(Int32, [Failure.Code])])
    func exitStatus(status: Int32, codes: [Failure.Code]) {
        #expect(Set(Failure.Code.allCases.filter { $0.exitStatus == status }) == Set(codes))
    }
}

@Suite("MPRIS metadata")
struct MetadataTests {
    private let entry = Entry(
        id: EntryID(7),
        track: Track(id: TrackID(owner: -1, audio: 2), artist: "Кино", title: "Звезда", album: "Альбом", duration: 5))

    @Test("Every key has the type MPRIS asks for")
    func full() {
        let map = MetadataCoding.metadata(of: entry, length: .seconds(285), coverPath: "/c/a b.jpg")
        #expect(
            map == [
                "mpris:trackid": .objectPath("/org/nyantunes/Nyand/entry/7"), "mpris:length": .int64(285_000_000),
                "mpris:artUrl": .string("file:///c/a%20b.jpg"), "xesam:title": .string("Звезда"),
                "xesam:artist": .strings(["Кино"]), "xesam:album": .string("Альбом"),
                "xesam:url": .string("https://vk.com/audio-1_2"),
            ])
    }

    @Test("A key without a value is left out")
    func bare() {
        var bare = entry
        bare.track = Track(id: TrackID(owner: 1, audio: 2), artist: "", title: "", album: "")
        for length in [nil, Duration.zero] {
            let map = MetadataCoding.metadata(of: bare, length: length, coverPath: nil)
            #expect(map.keys.sorted() == ["mpris:trackid", "xesam:url"])
        }
    }

    @Test("An entry's path reads back, another path does not")
    func trackID() {
        for number in [1, 7, UInt64.max] {
            #expect(MetadataCoding.entryID(MetadataCoding.trackID(of: EntryID(number))) == EntryID(number))
        }
        for path: ObjectPath in [Names.noTrack, "/", "/org/nyantunes/Nyand/entry", "/org/nyantunes/Nyand/entry/x"] {
            #expect(MetadataCoding.entryID(path) == nil)
        }
    }

    @Test(
        "A file's URL has percent signs for all that RFC 3986 does not let stand",
        arguments: [
            ("/a/b-c_d.e~f", "file:///a/b-c_d.e~f"), ("/a b", "file:///a%20b"), ("/100%", "file:///100%25"),
            ("/к", "file:///%D0%BA"), ("/#?&;'", "file:///%23%3F%26%3B%27"), ("/\u{1}", "file:///%01"),
        ])
    func url(path: String, url: String) { #expect(MetadataCoding.fileURL(path) == url) }

    @Test(
        "Microseconds keep their sign and never overflow",
        arguments: [
            (.zero, 0), (.microseconds(1), 1), (.seconds(-1.5), -1_500_000), (.seconds(Int64.max), .max),
            (.seconds(Int64.min), .min),
        ] as [(Duration, Int64)])
    func microseconds(duration: Duration, count: Int64) { #expect(MetadataCoding.microseconds(duration) == count) }
}
