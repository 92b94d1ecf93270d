import NyanCore
import NyanDBus
import NyanWire
import Testing

@Suite("The doctor on the bus")
struct DoctorInterfaceTests {
    @Test("Doctor")
    func doctor() {
        #expect(shape(NyandInterfaces.doctor) == ["Examine() -> (findings:a(ssssasas))"])
    }

    @Test("findings travel whole; another version's words are refused")
    func coding() {
        let findings = [
            Finding(.mp3, .problem, "m", advice: "a", packages: ["p", "q"], elements: ["e"]),
            Finding(.problem, .ok, "none"),
        ]
        #expect(FindingCoding.findings(FindingCoding.list(findings)) == findings)
        #expect(FindingCoding.findings(FindingCoding.list([])) == [])
        let strange = BusValue.structure([
            .string("telepathy"), .string("ok"), .string(""), .string(""), .strings([]), .strings([]),
        ])
        #expect(FindingCoding.findings(.array([strange], of: FindingCoding.signature)) == nil)
        #expect(FindingCoding.findings(.string("")) == nil)
    }

    @Test("check and state are words that scripts rely on")
    func words() {
        #expect(
            Finding.Check.allCases.map(\.rawValue) == [
                "bus", "daemon", "bus-names", "gstreamer", "decoder-mp3", "decoder-aac", "decoder-flac", "sink",
                "sound-server", "keyring", "account", "network", "disk-music", "disk-library", "disk-state",
                "disk-cache", "unit", "activation", "settings", "problem",
            ])
        #expect(Finding.State.allCases.map(\.rawValue) == ["ok", "note", "problem", "skipped"])
    }
}
