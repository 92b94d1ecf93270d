// The account, where its login is kept, and the way to VK.
extension Diagnosis {
    /// A login that ends sooner is told.
    private static let soon: Int64 = 3 * 86400

    public static func account(_ facts: AccountFacts) -> Finding {
        if let problem = facts.problem {
            return Finding(.account, .problem, problem.message, advice: advice(on: problem))
        }
        guard let account = facts.account else {
            return Finding(
                .account, .problem, "nobody is signed in: only My Music and files can be played",
                advice: "`nyanctl login` lists the ways to sign in")
        }
        let who = account.name.isEmpty ? "id \(account.id)" : "\(account.name), id \(account.id)"
        let words = "signed in as \(who), \(account.tracks) tracks"
        guard let left = facts.endsIn, left < soon else { return Finding(.account, .ok, words) }
        return Finding(
            .account, .note, "\(words); the login ends in \(max(0, left / 3600)) hours",
            advice: "sign in again before that; `nyanctl login --cookies` renews itself")
    }

    private static func advice(on problem: Failure) -> String {
        switch problem.code {
        case .challengeNeeded: "hand in what VK asks for with `nyanctl answer`"
        case .notSignedIn, .clientRefused: "sign in again: `nyanctl login` lists the ways"
        case .network, .timeout, .serverBusy: "see network; it is tried again by itself"
        default: "`nyanctl login` signs in again"
        }
    }

    public static func keyring(_ facts: KeyringFacts) -> Finding {
        if facts.setting == .file {
            return Finding(.keyring, .ok, "not used: with account.store=file the login is in a file only you can read")
        }
        let kept = facts.place == "file" ? "the login is in a file only you can read" : "the login is in the keyring"
        // What the login does not depend on is only worth knowing.
        let state: Finding.State = facts.setting == .keyring || facts.place == "keyring" ? .problem : .note
        let fallback = "or set account.store to file"
        switch facts.state {
        case .unlocked: return Finding(.keyring, .ok, "it answers and is unlocked; \(kept)")
        case .startable: return Finding(.keyring, .ok, "it is started when it is needed; \(kept)")
        case .locked:
            return Finding(
                .keyring, state, "it is locked; \(kept)", advice: "unlock it in its own program, \(fallback)")
        case .silent:
            return Finding(.keyring, state, "it does not answer; \(kept)", advice: "restart it, \(fallback)")
        case .empty:
            return Finding(
                .keyring, facts.setting == .keyring ? .problem : .note, "it has no default keyring; \(kept)",
                advice: "make one in its own program (Passwords and Keys, KWallet), \(fallback)")
        case .absent where facts.setting == .keyring:
            return Finding(
                .keyring, .problem, "there is none, and account.store=keyring wants one",
                advice: "install gnome-keyring, or use KWallet or KeePassXC, \(fallback)", packages: ["gnome-keyring"])
        case .absent:
            return Finding(
                .keyring, .ok, "there is none: the login is kept in a file only you can read")
        }
    }

    public static func network(_ facts: NetworkFacts) -> Finding {
        switch facts {
        case .offlineMode: Finding(.network, .skipped, "offline mode is on", advice: "`nyanctl offline off` ends it")
        case .answered(let host, let milliseconds): Finding(.network, .ok, "\(host) answers (\(milliseconds) ms)")
        case .failed(let failure):
            Finding(
                .network, .problem, failure.message,
                advice: "check the connection, network.proxy and the machine's clock; My Music plays without it")
        }
    }
}
