import Dispatch
import FoundationEssentials
import Glibc
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// Completion in real shells, with the daemon there, gone and hung.
@Suite("Completion", .serialized, .timeLimit(.minutes(3)))
struct CompletionTests {
    private static let golden = {
        let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        return "/\(tests)/NyanctlTests/golden"
    }()
    private static let pages = golden + "/pages"
    /// What a shell would run, and what a terminal or a list of candidates would be led astray by.
    private static let title = "Зловещий $(touch HOME/ran) `touch HOME/ran` \"q\" 'r' \\ !x;&|*?~#{a,b}"

    private func program(_ words: [String], _ house: House, _ input: String? = nil) async throws -> Program.Outcome {
        var environment = house.environment
        environment["PATH"] = House.programs + ":/usr/bin:/bin"
        environment["LC_ALL"] = "C.UTF-8"
        environment["TERM"] = "dumb"
        return try await Program(words, environment: environment, input: input).outcome()
    }

    /// The same for what offers something, until it does: an offer has a tenth of a second, in which a busy machine may
    /// not come to an answer.
    private func offer(
        _ words: [String], _ house: House, _ isWanted: (Program.Outcome) -> Bool
    ) async throws -> Program.Outcome {
        var outcome = try await program(words, house)
        for _ in 0..<5 where !isWanted(outcome) { outcome = try await program(words, house) }
        return outcome
    }

    /// A shell's function that waits until its terminal has shown a text, and prints all of it.
    private static let hear = #"""
        zmodload zsh/zpty zsh/datetime zsh/zselect
        hear() {
            local heard= part end=$((EPOCHSECONDS + ${2:-40}))
            while [[ $heard != *$1* ]] && ((EPOCHSECONDS < end)); do
                if zpty -rt shell part; then heard+=$part; else zselect -t 5; fi
            done
            print -r -- "$heard"
        }

        """#

    /// Runs a script of zsh, which has terminals to give, until what its shell was offered is in its output.
    private func typed(
        _ script: String, _ words: [String], _ house: House, wanted: String
    ) async throws -> Program.Outcome {
        let words = ["/usr/bin/env", "zsh", "-f", "-c", Self.hear + script, "zsh", Self.pages] + words
        return try await offer(words, house) { $0.output.contains(wanted) }
    }

    /// A house with a track of that title, listed.
    private func house() async throws -> (House, title: String) {
        let house = try await House()
        try await house.startDaemon()
        let title = Self.title.split(separator: "HOME").joined(separator: house.home)
        let add = try JSONEncoder().encode([
            "cmd": "library-add", "title": title + "\u{1B}]0;x\u{7}\n end", "artist": "Хор",
        ])
        try await house.control(String(decoding: add, as: UTF8.self))
        try await house.signIn()
        #expect(try await house.ctl("profile").status == 0)
        return (house, title + "]0;x  end")
    }

    @Test(
        "titles, rows and ids are offered in bash, zsh and fish; nothing in a title is run, and every word comes back whole"
    )
    func shells() async throws {
        let (house, title) = try await house()
        try await bash(house, title)
        try await typedInBash(house, title)
        try await fish(house, title)
        try await zsh(house, title)
        #expect(!FileManager.default.fileExists(atPath: house.home + "/ran"))
    }

    private func bash(_ house: House, _ title: String) async throws {
        let script = """
            source "$0"
            COMP_WORDS=(nyanctl "$1" "$2"); COMP_CWORD=2; COMP_TYPE=9; _nyanctl
            open=$3
            # As the shell would read what is inserted.
            for word in "${COMPREPLY[@]}"; do eval "set -- $open$word$open"; printf '%s/%s\\n' "$#" "$1"; done
            """
        for (typed, quote) in [("злов", ""), ("'злов", "'"), ("\"злов", "\""), ("зло\\в", "")] {
            let words = ["bash", "--norc", "-c", script, Self.pages + "/nyanctl.bash", "play", typed, quote]
            let wanted = "1/злов\(title.dropFirst(4))\n"
            let outcome = try await offer(["/usr/bin/env"] + words, house) { $0.output == wanted }
            #expect(outcome.output == wanted && outcome.errors.isEmpty, "\(typed): \(outcome)")
        }
        let first = "1/1\n1/10\n1/11\n"
        let rows = try await offer(
            ["/usr/bin/env", "bash", "--norc", "-c", script, Self.pages + "/nyanctl.bash", "remove", "1", ""], house
        ) { $0.output.hasPrefix(first) }
        #expect(rows.output.hasPrefix(first))
        let apart = """
            source "$0"; COMP_LINE=$1; shift
            command() { shift; if [[ $* == *а:* ]]; then printf 'none\\nа:бв\\n'; else builtin command nyanctl "$@"; fi; }
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _nyanctl; echo "${COMPREPLY[*]}"
            """
        for (line, words, wanted) in [
            ("nyanctl status --format=@w", ["status", "--format", "=", "@w"], "@waybar"),
            ("nyanctl status --format=@w", ["status", "--format=@w"], "--format=@waybar"),
            ("nyanctl play а:б", ["play", "а", ":", "б"], "бв"), ("nyanctl play а:", ["play", "а", ":"], "бв"),
            ("nyanctl play а : б", ["play", "а", ":", "б"], ""), ("nyanctl play \"а:б", ["play", "\"а:б"], "а:бв"),
        ] {
            let value = try await offer(
                ["/usr/bin/env", "bash", "--norc", "-c", apart, Self.pages + "/nyanctl.bash", line, "nyanctl"] + words,
                house
            ) { $0.output == wanted + "\n" }
            #expect(value.output == wanted + "\n" && value.errors.isEmpty, "\(line): \(value)")
        }
    }

    /// As a person has it, at a terminal and with the commands of before.
    private func typedInBash(_ house: House, _ title: String) async throws {
        let script = #"""
            zpty shell bash --norc -i
            zpty -w shell "PS1=; source '$1/nyanctl.bash'; x() { :; }; nyanctl() { printf 'GOT=%s=%s=\n' \$# \"\$2\"; }; echo rea\"\"dy"
            hear ready >/dev/null
            zpty -w shell "x \"note; touch $HOME/ran; \"; echo se\"\"cond"
            hear second >/dev/null
            zpty -n -w shell "$2"$'\t'
            zpty -n -w shell $'\n'
            hear "$3" 10
            """#
        for line in ["nyanctl play злов", "nyanctl play 'злов", "nyanctl play \"злов"] {
            let wanted = "GOT=2=злов\(title.dropFirst(4))="
            let outcome = try await typed(script, [line, "end="], house, wanted: wanted)
            #expect(outcome.output.contains(wanted), "\(line): \(outcome)")
        }
    }

    private func fish(_ house: House, _ title: String) async throws {
        let script = "source $argv[1]; complete -C $argv[2]"
        for (line, wanted) in [
            ("nyanctl play злов", "злов\(title.dropFirst(4))\tХор – "),
            ("nyanctl play 'злов", "злов\(title.dropFirst(4))\tХор – "),
            ("nyanctl remove 1", "1\tХор – "), ("nyanctl status --format=@w", "--format=@waybar"),
            ("nyanctl search x --cou", "--count\thow many"), ("nyanctl --json fri", "friends\t"),
        ] {
            let words = ["/usr/bin/env", "fish", "--no-config", "-c", script, Self.pages + "/nyanctl.fish", line]
            let outcome = try await offer(words, house) { $0.output.contains(wanted) }
            #expect(outcome.output.contains(wanted) && outcome.errors.isEmpty, "\(line): \(outcome)")
        }
    }

    /// zsh completes only in a terminal, and gets one; what it would run is shown by a function of the same name.
    private func zsh(_ house: House, _ title: String) async throws {
        let script = #"""
            zpty shell zsh -f -i
            zpty -w shell "PS1=; fpath=(\"$1\" \$fpath); autoload -Uz compinit; compinit -u -D; nyanctl() { print -r -- \"GOT=\$#=\$2=\" }; print rea\"\"dy"
            hear ready >/dev/null
            if [[ -n $4 ]]; then
                zpty -w shell "command nyanctl --no-pager search -n 2 Found; print do\"\"ne"
                hear done >/dev/null
                # Listed elsewhere since: this terminal's rows stay what they were.
                nyanctl profile >/dev/null
            fi
            zpty -n -w shell "$2"$'\t'
            zpty -n -w shell $'\n'
            hear "$3" 10
            """#
        for line in ["nyanctl play злов", "nyanctl play 'злов", "nyanctl play \"злов"] {
            let wanted = "GOT=2=злов\(title.dropFirst(4))="
            let outcome = try await typed(script, [line, "end="], house, wanted: wanted)
            #expect(outcome.output.contains(wanted), "\(line): \(outcome)")
        }
        let rows = try await typed(script, ["nyanctl remove ", "Хор"], house, wanted: "1   -- Хор – ")
        #expect(rows.output.contains("1   -- Хор – "), "\(rows.output)")
        let own = try await typed(script, ["nyanctl remove ", "2  -- ", "own"], house, wanted: "1  -- ")
        #expect(own.output.contains("1  -- ") && !own.output.contains("Хор"), "\(own.output)")
    }

    /// The shortest of twenty runs at most, until one takes less than this, in milliseconds: what the others take longer is
    /// a busy machine's.
    private func shortest(
        _ house: House, under limit: Double = 200, _ words: String...
    ) async throws -> (milliseconds: Double, Program.Outcome) {
        var runs: [(milliseconds: Double, Program.Outcome)] = []
        for _ in 0..<20 where runs.allSatisfy({ $0.milliseconds >= limit * Patience.factor }) {
            let began = DispatchTime.now().uptimeNanoseconds
            let outcome = try await program([House.programs + "/nyanctl", "complete"] + words, house)
            runs.append((Double(DispatchTime.now().uptimeNanoseconds - began) / 1e6, outcome))
        }
        return try #require(runs.min { $0.0 < $1.0 })
    }

    @Test("with a daemon that is gone or hung, and with a bus that hangs, it is quiet, soon over, and starts nothing")
    func absent() async throws {
        let house = try await House(server: nil)
        let without = try await shortest(house, "play", "зло")
        #expect(without.1.output == "files\n" && without.1.errors.isEmpty && without.1.status == 0)
        #expect(without.milliseconds < 200 * Patience.factor)
        #expect(try await house.connection.owner(of: Names.nyand) == nil)
        try await house.startDaemon()
        house.daemon?.send(SIGSTOP)
        let hung = try await shortest(house, "queue", "")
        house.daemon?.send(SIGCONT)
        #expect(hung.1.output == "none\nadd\nremove\nmove\nclear\n" && hung.1.errors.isEmpty && hung.1.status == 0)
        house.daemon?.send(SIGSTOP)
        let position = try await shortest(house, "queue", "remove", "")
        house.daemon?.send(SIGCONT)
        #expect(position.1.output == "none\n" && position.1.errors.isEmpty && position.1.status == 0)
        #expect(position.milliseconds < 200 * Patience.factor)
        try await deafBus(house)
    }

    /// A socket that takes connections and never says a word.
    private func deafBus(_ house: House) async throws {
        let path = house.home + "/deaf"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(bound == 0 && listen(listener, 64) == 0)
        house.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(path)"
        let deaf = try await shortest(house, under: 230, "play", "зло")
        #expect(deaf.1.output == "files\n" && deaf.1.errors.isEmpty && deaf.1.status == 0)
        #expect(deaf.milliseconds < 230 * Patience.factor)
    }

    @Test(
        "what nyand prints for its manual pages is as it was",
        arguments: [("--help", "nyand-help.txt"), ("--print-default-config", "nyand.conf")])
    func daemonWords(option: String, file: String) async throws {
        let house = try await House(server: nil)
        let outcome = try await program([House.programs + "/nyand", option], house)
        let path = Self.golden + "/" + file
        if getenv("NYAN_GOLDEN") != nil {
            try outcome.output.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == outcome.output)
    }
}
