public import Glibc

/// How tests start another program.
public nonisolated enum Spawning {
    /// Starts a program that is found by its name or path, with no signal blocked: a thread of Dispatch blocks every one,
    /// and a child would inherit that and ignore SIGTERM.
    /// `environment` nil is ours; a leader has a session of its own, whose first opened terminal is the one that controls
    /// it; `usual` are signals that do to it what they usually do, though we may ignore them; `streams` says where its
    /// streams lead.
    public static func start(
        _ words: [String], environment: [String: String]? = nil, isLeader: Bool = false, usual: [Int32] = [],
        _ streams: (inout posix_spawn_file_actions_t) -> Void
    ) throws(Program.Trouble) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (none, unignored) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        sigemptyset(&unignored)
        for number in usual { sigaddset(&unignored, number) }
        posix_spawnattr_setsigdefault(&attributes, &unignored)
        let session: Int32 = isLeader ? 0x80 : 0  // POSIX_SPAWN_SETSID, which Glibc's module does not show.
        posix_spawnattr_setflags(
            &attributes, Int16(session | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        streams(&actions)
        var arguments = words.map { strdup($0) } + [nil]
        var variables = (environment ?? [:]).map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var child: pid_t = 0
        let status =
            environment == nil
            ? posix_spawnp(&child, words[0], &actions, &attributes, &arguments, environ)
            : posix_spawnp(&child, words[0], &actions, &attributes, &arguments, &variables)
        guard status == 0 else { throw Program.Trouble(what: words[0], code: status) }
        return child
    }
}
