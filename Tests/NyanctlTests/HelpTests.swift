import NyanCore
import Testing

@testable import nyanctl

@Suite("Help")
struct HelpTests {
    @Test("Every command's usage line is as it was")
    func usage() {
        #expect(
            CommandTable.all.map { $0.usage.dropFirst("nyanctl ".count) } == [
                "login [--cookies] [--token] [--url] [--password USER] [--profile NAME]", "logout", "whoami",
                "answer [TEXT]", "profile [FILTER] [--owner WHO]", "sync",
                "music [FILTER]", "search TEXT [--count N] [--artist]", "delete TRACK…", "export TRACK… DIR",
                "import DIR", "add TRACK…", "like",
                "remove TRACK…", "restore TRACK", "friends", "groups", "playlists",
                "playlist ID [FILTER] | create TITLE | rename ID TITLE | delete ID | add/remove ID TRACK…",
                "recommendations [TRACK]", "lyrics [TRACK] [--follow]", "keep [PLAYLIST | profile]",
                "unkeep PLAYLIST | profile [--delete] [--yes]", "play [TRACK…]", "pause",
                "toggle", "stop", "next", "prev", "seek [+|-]TIME", "volume [[+|-]N]", "shuffle [on|off]",
                "repeat [off|track|queue]", "sleep [TIME|track|off]",
                "status [--follow] [--every SECONDS] [--format TEXT]", "player",
                "queue [add TRACK… | remove POS… | move FROM TO | clear] [--next]",
                "history [--count N]",
                "download TRACK… [--all] [--playlist ID] [--matching TEXT] [--wait]",
                "downloads [pause | resume] [TRACK…] [--follow]",
                "cancel TRACK… [--all]", "retry TRACK… [--all]", "scrobble [login SITE | logout SITE] [--finish]",
                "doctor", "ui", "offline on|off", "reload", "help [COMMAND]",
            ])
    }

    @Test("The overview names every command and fits 100 columns")
    func overview() {
        let lines = HelpText.all.split(separator: "\n", omittingEmptySubsequences: false)
        for command in CommandTable.all {
            #expect(lines.contains { $0.hasPrefix("  \(command.name)") }, "\(command.name)")
            #expect(HelpText.all.contains(command.summary))
        }
        for line in lines {
            #expect(DisplayText.columns(line) <= 100)
            #expect(line.last != " ")
        }
    }

    @Test("One command's help lists its options in a column")
    func command() throws {
        let search = try #require(CommandTable.command("search"))
        #expect(
            HelpText.command(search) == """
                usage: nyanctl search TEXT [--count N] [--artist]

                search all of VK

                  --count N  how many at most (30)
                  --artist   by artist only
                """)
    }
}
