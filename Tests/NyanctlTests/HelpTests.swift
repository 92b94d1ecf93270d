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
                "playlist ID [FILTER] | create TITLE | rename ID TITLE | delete ID | add ID TRACK… | remove ID TRACK…",
                "recommendations [TRACK]", "lyrics [TRACK] [--follow]", "keep [PLAYLIST|profile]",
                "unkeep PLAYLIST|profile [--delete] [--yes]", "play [TRACK…]", "pause",
                "toggle", "stop", "next", "prev", "seek [+|-]TIME", "volume [[+|-]N]", "shuffle [on|off]",
                "repeat [off|track|queue]", "sleep [TIME|track|off]",
                "status [--follow] [--every SECONDS] [--format TEXT]", "player",
                "queue [add TRACK… | remove POS… | move FROM TO | clear] [--next]",
                "history [--count N]",
                "download TRACK… [--all] [--playlist ID] [--matching TEXT] [--wait]",
                "downloads [pause|resume [TRACK…]] [--follow]",
                "cancel TRACK… [--all]", "retry TRACK… [--all]",
                "scrobble [login listenbrainz|lastfm | logout listenbrainz|lastfm] [--finish]",
                "doctor", "offline on|off", "reload", "help [COMMAND]",
            ])
    }

    @Test("The overview names every command under its heading, and says of each what it is")
    func overview() {
        let lines = HelpText.all.split(separator: "\n", omittingEmptySubsequences: false)
        // A summary may go on in the next line.
        let flat = HelpText.all.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        var heading = ""
        var found: [String: String] = [:]
        for line in lines {
            if let first = line.first, first.isUppercase { heading = String(line) }
            if line.hasPrefix("  "), !line.hasPrefix("   ") {
                found[String(line.split(separator: " ")[0])] = heading
            }
        }
        for command in CommandTable.all {
            #expect(found[command.name] == command.manual.subject.title, "\(command.name)")
            #expect(flat.contains(command.summary))
        }
    }

    @Test("One command's help lists its options in a column, and its examples")
    func command() throws {
        let search = try #require(CommandTable.command("search"))
        #expect(
            HelpText.command(search) == """
                usage: nyanctl search TEXT [--count N] [--artist]

                search all of VK

                Up to 1000 tracks, in VK's order. What is found can be played, added and
                downloaded by its row.

                  -n, --count N  how many at most (30)
                      --artist   by artist only

                for example:
                  nyanctl search кино группа крови
                      find tracks
                  nyanctl search --artist -n 100 кино
                      a hundred of one artist
                """)
    }
}
