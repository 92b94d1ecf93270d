import NyanCore
import Testing

@testable import nyanctl

@Suite("Keep rules for people")
struct KeepTextTests {
    private let list = KeptList.playlist(PlaylistID(owner: 1, number: 5))

    @Test("A rule says how far it is, and only what there is to say")
    func rows() {
        let profile = KeepRule(list: .profile, tracks: 450, here: 448, coming: 1, unavailable: 1)
        #expect(
            KeepText.row(profile) { $0 } == "profile  450 tracks, 448 here, 1 coming, 1 not to be had now")
        let short = KeepRule(list: .profile, tracks: 3, failed: 1, declined: 2)
        #expect(KeepText.row(short) { $0 } == "profile  3 tracks, 0 here, 1 failed, 2 taken away by you")
        let playlist = KeepRule(list: list, title: "Утро", tracks: 1, here: 1)
        #expect(KeepText.row(playlist) { "<\($0)>" } == "1_5  <Утро>  1 track, 1 here")
        #expect(KeepText.began(playlist, queued: 0) { $0 } == "“Утро” is kept: 1 track, 1 here")
        #expect(
            KeepText.began(KeepRule(list: list), queued: 3) { $0 } == "1_5 is kept: 0 tracks; 3 queued now")
    }

    @Test("The question and the end name numbers and sizes")
    func end() {
        #expect(KeepText.question(37, 312_000_000) == "Delete 37 files (312 MB)?")
        #expect(KeepText.question(1, 4_600_000) == "Delete 1 file (4.6 MB)?")
        let stays = UnkeptDocument(unkept: "1_5", cancelled: 1, deleted: 0, bytes: 0, staying: 2)
        #expect(
            KeepText.ended(stays, deleting: false) == [
                "1_5 is kept no more", "1 download cancelled",
                "2 files of it stay: `nyanctl unkeep 1_5 --delete` deletes them",
            ])
        let deleted = UnkeptDocument(unkept: "profile", cancelled: 0, deleted: 1, bytes: 512, staying: 0)
        #expect(
            KeepText.ended(deleted, deleting: true) == ["profile is kept no more", "deleted 1 file, 512 B freed"])
    }

    @Test("JSON names its keys as ever")
    func json() {
        let rule = KeepRule(list: list, title: "T", tracks: 3, here: 1, coming: 1, unavailable: 1)
        #expect(
            JSONText.encode(KeptDocument(rule, queued: 1))
                == #"{"coming":1,"declined":0,"failed":0,"here":1,"kept":"1_5","queued":1,"title":"T","tracks":3,"unavailable":1}"#
        )
        #expect(
            JSONText.encode([KeptDocument(KeepRule(list: .profile))])
                == #"[{"coming":0,"declined":0,"failed":0,"here":0,"kept":"profile","title":null,"tracks":0,"unavailable":0}]"#
        )
        #expect(
            JSONText.encode(UnkeptDocument(unkept: "1_5", cancelled: 1, deleted: 2, bytes: 3, staying: 4))
                == #"{"bytes":3,"cancelled":1,"deleted":2,"staying":4,"unkept":"1_5"}"#)
    }
}
