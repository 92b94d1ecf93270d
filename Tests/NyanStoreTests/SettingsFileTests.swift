import NyanCore
import Testing

@testable import NyanStore

@Suite("The settings file")
struct SettingsFileTests {
    let folder = TemporaryFolder()

    func entries(_ text: String) throws -> [SettingEntry] { try SettingsFile.entries(in: Array(text.utf8)) }

    @Test("gives group, key, value and line of each setting")
    func entries() throws {
        let text =
            "\u{FEFF}# comment\r\n\r\n[vk]\r\n min-interval-ms = 500 \r\n[audio]\nsink=pulsesink device=x\n"
            + "\n[vk]\nprofile=a\\\\b\n[profile.мой]\nuser-agent=Кино; x # y\n"
        #expect(
            try entries(text) == [
                SettingEntry(group: "vk", key: "min-interval-ms", value: "500", line: 4),
                SettingEntry(group: "audio", key: "sink", value: "pulsesink device=x", line: 6),
                SettingEntry(group: "vk", key: "profile", value: "a\\b", line: 9),
                SettingEntry(group: "profile.мой", key: "user-agent", value: "Кино; x # y", line: 11),
            ])
    }

    @Test(
        "names the line of what it cannot read and never a value",
        arguments: [
            ("[vk]\n\nhello canary\n", 3), ("profile=canary\n[vk]\n", 1), ("[vk]\nprofile=\\canary\n", 2),
            ("[vk]\n=canary\n", 2), ("[vk\n", 1), ("[account]\n\n\nstore=canary\n", 4), ("[vk]\ncanaries=1\n", 2),
            ("[audio]\nsink[ru]=canary\n", 2), ("[vk]\n[account]\nstore=file\n[account]\nstore=canary", 5),
        ])
    func mistakes(text: String, line: Int) throws {
        try Disk.write(folder("nyand.conf"), Array(text.utf8))
        let error = #expect(throws: SettingsError.self) {
            _ = try SettingsFile.read(folder("nyand.conf"), mustExist: true)
        }
        #expect(error?.line == line)
        #expect(error?.message.contains("canary") == false)
    }

    @Test("that is missing, empty or only comments means the defaults", arguments: [nil, "", "# x\n\n", "[vk]\n"])
    func empty(text: String?) throws {
        if let text { try Disk.write(folder("nyand.conf"), Array(text.utf8)) }
        #expect(try SettingsFile.entries(of: folder("nyand.conf"), mustExist: false).isEmpty)
        _ = try SettingsFile.read(folder("nyand.conf"), mustExist: false)
    }

    @Test("that was named and is missing, or is a folder, is a mistake")
    func missing() {
        #expect(throws: SettingsError.self) { try SettingsFile.read(folder("none.conf"), mustExist: true) }
        #expect(throws: SettingsError.self) { try SettingsFile.read(folder.path, mustExist: false) }
    }

    @Test("reads what the daemon prints as its defaults")
    func defaults() throws {
        #expect(try !entries(Settings.commentedDefaults).isEmpty)
        _ = try Settings.build(from: entries(Settings.commentedDefaults))
    }

    @Test("the quick folding of common texts agrees with the careful one")
    func folding() {
        for value in (UInt32(0)..<0x530) where value < 0x80 || value >= 0x400 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a\(Character(scalar))Б"
            #expect(SearchText.folded(text) == FilterWords.folded(text), "U+\(String(value, radix: 16))")
        }
    }
}
