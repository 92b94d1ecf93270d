import NyanCore

/// One command as data: the only source of the parser, the usage lines and the help.
struct Command {
    /// An option of one command, such as `--next` or `--count N`.
    struct Option: Equatable {
        var name: String
        /// What its value is called in the usage; nil = a switch.
        var value: String?
        var summary: String
    }

    /// How many words may follow.
    enum Arity: Equatable {
        case none, any
        case between(Int, Int)
        case atLeast(Int)

        var least: Int {
            switch self {
            case .none, .any: 0
            case .between(let least, _), .atLeast(let least): least
            }
        }

        var most: Int {
            switch self {
            case .none: 0
            case .between(_, let most): most
            case .any, .atLeast: Int.max
            }
        }
    }

    var name: String
    /// What follows the name in the usage line.
    var arguments = ""
    var summary: String
    var options: [Option] = []
    var arity: Arity
    var run: @MainActor (Invocation) throws(Ending) -> Void
    /// What its words are, and what help and manual say beside the summary; nil = `CommandPages` has it.
    var page: CommandPage?

    var usage: String {
        let parts = [name, arguments] + options.map { "[\($0.name)\($0.value.map { " \($0)" } ?? "")]" }
        return "nyanctl " + parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

/// A parsed command line, ready to be carried out.
struct Invocation {
    var command: Command
    var words: [String] = []
    /// Switches have an empty value.
    var options: [String: String] = [:]
    var asJSON = false
    var timeout: Duration?
    /// `--no-pager`.
    var isUnpaged = false

    func has(_ option: String) -> Bool { options[option] != nil }
}

/// How a run ends when it is not simply done.
enum Ending: Error, Equatable {
    /// Wrong usage: the sentence, and whose usage line to show.
    case usage(String, command: String?)
    case failed(code: String, message: String, status: Int32)
    /// Everything was said already.
    case quietly(Int32)
}

/// Every command there is. `help` follows this order.
@MainActor enum CommandTable {
    static let all: [Command] =
        account + challenge + library + files + profile + playlists + keep + transport + queue + downloads + scrobble
        + doctor + ui
        + general

    static func command(_ name: String) -> Command? { all.first { $0.name == name } }

    private static let account = [
        Command(
            name: "login", summary: "sign in; reads the secret from standard input",
            options: [
                .init(name: "--cookies", summary: "with a browser's session, which nyand renews: best for daily use"),
                .init(name: "--token", summary: "with a token of a VK client that has music"),
                .init(name: "--url", summary: "over VK's own page: open it, paste the address it ends at"),
                .init(name: "--password", value: "USER", summary: "by a password, which is not kept"),
                .init(name: "--profile", value: "NAME", summary: "the client the token was made for"),
            ], arity: .none, run: AccountCommands.login),
        Command(
            name: "logout", summary: "forget the account; finished downloads stay", arity: .none,
            run: AccountCommands.logout),
        Command(
            name: "whoami", summary: "whose account, how many tracks, which kind of login", arity: .none,
            run: AccountCommands.whoami),
    ]

    private static let library = [
        Command(
            name: "profile", arguments: "[FILTER]", summary: "the tracks of the VK profile",
            options: [.init(name: "--owner", value: "WHO", summary: "a friend's or group's: id, name or address")],
            arity: .any, run: LibraryCommands.profile),
        Command(
            name: "sync", summary: "read the profile anew", arity: .none, run: SyncCommand.run),
        Command(
            name: "music", arguments: "[FILTER]", summary: "My Music: the finished downloads", arity: .any,
            run: LibraryCommands.music),
        Command(
            name: "search", arguments: "TEXT", summary: "search all of VK",
            options: [
                .init(name: "--count", value: "N", summary: "how many at most (30)"),
                .init(name: "--artist", summary: "by artist only"),
            ], arity: .atLeast(1), run: LibraryCommands.search),
        Command(
            name: "delete", arguments: "TRACK…", summary: "delete the local file; the VK profile stays",
            arity: .atLeast(1), run: LibraryCommands.delete),
    ]

    private static let transport = [
        Command(
            name: "play", arguments: "[TRACK…]", summary: "resume, or play these tracks, files or addresses",
            arity: .any,
            run: PlayCommands.play),
        Command(name: "pause", summary: "hold the sound", arity: .none, run: PlayCommands.pause),
        Command(name: "toggle", summary: "pause or go on", arity: .none, run: PlayCommands.toggle),
        Command(name: "stop", summary: "end the sound; the queue stays", arity: .none, run: PlayCommands.stop),
        Command(name: "next", summary: "the next track", arity: .none, run: PlayCommands.next),
        Command(name: "prev", summary: "the track before, or this one's start", arity: .none, run: PlayCommands.prev),
        Command(
            name: "seek", arguments: "[+|-]TIME", summary: "go to 90, 1:30, +10, -10 or 50%", arity: .between(1, 1),
            run: PlayCommands.seek),
        Command(
            name: "volume", arguments: "[[+|-]N]", summary: "show or set the volume, 0 to 100", arity: .between(0, 1),
            run: PlayCommands.volume),
        Command(
            name: "shuffle", arguments: "[on|off]", summary: "show or set the shuffled order", arity: .between(0, 1),
            run: PlayCommands.shuffle),
        Command(
            name: "repeat", arguments: "[off|track|queue]", summary: "show or set what is repeated",
            arity: .between(0, 1), run: PlayCommands.repeatMode),
        Command(
            name: "sleep", arguments: "[TIME|track|off]",
            summary: "pause in 30 (minutes), 1h30min or 90s, or at the track's end", arity: .between(0, 1),
            run: SleepCommand.run),
        Command(
            name: "status", summary: "what is playing, and what is wrong",
            options: [
                .init(name: "--follow", summary: "a line at once and one per change"),
                .init(name: "--every", value: "SECONDS", summary: "with --follow: also while the clock runs"),
                .init(name: "--format", value: "TEXT", summary: "such as '{artist} - {title} {position}', or @waybar"),
            ], arity: .none, run: StatusCommand.run),
        Command(name: "player", summary: "the live one-line player", arity: .none, run: PlayerCommand.run),
    ]

    private static let queue = [
        Command(
            name: "queue", arguments: "[add TRACK… | remove POS… | move FROM TO | clear]",
            summary: "show or change what will play; positions start at 1",
            options: [.init(name: "--next", summary: "add: right after the current track")],
            arity: .any, run: QueueCommands.queue),
        Command(
            name: "history", summary: "what was really heard, newest first",
            options: [.init(name: "--count", value: "N", summary: "how many at most (30)")], arity: .none,
            run: HistoryCommand.run),
    ]

    private static let downloads = [
        Command(
            name: "download", arguments: "TRACK…", summary: "keep tracks as files in My Music",
            options: [
                .init(name: "--all", summary: "the whole profile"),
                .init(name: "--playlist", value: "ID", summary: "what `playlist ID` lists"),
                .init(name: "--matching", value: "TEXT", summary: "what `profile TEXT` lists"),
                .init(name: "--wait", summary: "end when they are done or have failed"),
            ], arity: .any, run: DownloadCommands.download),
        Command(
            name: "downloads", arguments: "[pause|resume [TRACK…]]",
            summary: "what is running, waiting, failed and why",
            options: [.init(name: "--follow", summary: "live; without a terminal one line per change")],
            arity: .any, run: DownloadCommands.downloads),
        Command(
            name: "cancel", arguments: "TRACK…", summary: "stop downloads and leave nothing behind",
            options: [.init(name: "--all", summary: "all of them")], arity: .any, run: DownloadCommands.cancel),
        Command(
            name: "retry", arguments: "TRACK…", summary: "try failed downloads again",
            options: [.init(name: "--all", summary: "all of them")], arity: .any, run: DownloadCommands.retry),
    ]

    private static let general = [
        Command(
            name: "offline", arguments: "on|off", summary: "stay off the network: only My Music",
            arity: .between(1, 1), run: GeneralCommands.offline),
        Command(name: "reload", summary: "read the settings again", arity: .none, run: GeneralCommands.reload),
        Command(
            name: "help", arguments: "[COMMAND]", summary: "this, or one command's usage", arity: .between(0, 1),
            run: GeneralCommands.help),
    ]
}
