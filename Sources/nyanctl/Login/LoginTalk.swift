import NyanCore

/// The conversation of `login` with somebody who named no way to sign in: what was heard goes in, what to say and do comes
/// out. A value without I/O. Nothing is stored before VK has accepted it, so it can be left at any moment.
struct LoginTalk: Equatable {
    /// What there is to do. After the last effect of a list the next event is waited for.
    enum Effect: Equatable {
        /// A sentence for the person.
        case say(String)
        /// Something of ours that went wrong before the next try.
        case warn(String)
        /// An address to be opened, as it is.
        case show(String)
        /// A line that is seen while it is typed, up to `shown` columns: what is longer may be a secret. Answered by `.line`.
        case ask(String, shown: Int)
        /// A secret. `mayHaveLines`: what is pasted may be several lines. Answered by `.secret`.
        case askSecret(String, mayHaveLines: Bool)
        /// Read this file of the person's. Answered by `.secret` or `.unreadable`.
        case read(String)
        /// Ask the daemon for the authorize page. Answered by `.page` or `.refused`.
        case fetchPage
        /// Hand it to the daemon, which asks VK; what VK wants to know meanwhile is asked by whoever carries this out.
        /// Answered by `.accepted` or `.refused`. `user` is empty but for a password.
        case prove(LoginWay, user: String, Secret)
        /// Over: the login's own line, what comes next.
        case finish
        /// Over without a login.
        case giveUp(status: Int32)
    }

    enum Event: Equatable {
        /// How things stand at first.
        case begin(isSignedIn: Bool, isOffline: Bool)
        case line(String)
        case secret(String)
        case unreadable
        case page(String)
        case accepted
        case refused(code: String, message: String, status: Int32)
    }

    private enum State: Equatable {
        case idle, choosing, naming
        case waiting(LoginWay)
        case proving(LoginWay, Secret)
        /// The network failed: the same once more?
        case again(LoginWay, Secret)
    }

    /// So many wrong secrets, or choices, end it.
    static let tries = 3

    private var state = State.idle
    private var user = ""
    /// What the person chose. What they paste may be another way's, once.
    private var chosen = LoginWay.cookies
    /// The next secret comes out of a file.
    private var readsFile = false
    private var left = LoginTalk.tries

    mutating func take(_ event: Event) -> [Effect] {
        switch (state, event) {
        case (_, .begin(_, isOffline: true)):
            return [
                .warn(
                    "offline mode is on, and signing in needs the network: `nyanctl offline off`, then `nyanctl login`"),
                .giveUp(status: Failure.Code.offline.exitStatus),
            ]
        case (_, .begin(let isSignedIn, _)): return begin(isSignedIn)
        case (.choosing, .line(let text)): return chosen(text)
        case (.naming, .line(let text)): return named(text)
        case (.waiting(let way), .page(let page)): return [.say(Said.page), .show(page), secretEffect(way)]
        case (.waiting(let way), .secret(let text)): return pasted(text, way)
        case (.waiting, .unreadable):
            readsFile = false
            return wrong("there is no such file that can be read; paste what is in it", status: 2)
        case (.proving(let way, _), .accepted):
            state = .waiting(way)
            return [.finish]
        case (.proving(let way, let secret), .refused(let code, let message, let status)):
            return refused(way, secret, code, message, status)
        case (.waiting, .refused(_, let message, let status)): return [.warn(message), .giveUp(status: status)]
        case (.again(let way, let secret), .line): return prove(way, secret)
        default: return []
        }
    }

    private mutating func begin(_ isSignedIn: Bool) -> [Effect] {
        state = .choosing
        let head = isSignedIn ? [Effect.say("You are signed in already; a new login replaces that one.")] : []
        return head + Said.ways.map { .say($0) } + [Said.askChoice]
    }

    private mutating func chosen(_ text: String) -> [Effect] {
        let word = SecretShape.unquoted(text).lowercased()
        let ways: [String: LoginWay] = [
            "": .cookies, "1": .cookies, "cookies": .cookies, "2": .token, "token": .token, "3": .url, "url": .url,
            "4": .password, "password": .password,
        ]
        guard let way = ways[word] else {
            return word.count > 20
                // Somebody was quicker than the question, which reads one line alone.
                ? wrong("please choose first; what you pasted was not used", status: 2, ask: Said.askChoice)
                : wrong("please type 1, 2, 3 or 4", status: 2, ask: Said.askChoice)
        }
        left = Self.tries
        chosen = way
        state = .waiting(way)
        switch way {
        case .cookies: return Said.cookies.map { .say($0) } + [secretEffect(way)]
        case .token: return Said.token.map { .say($0) } + [secretEffect(way)]
        case .url: return [.fetchPage]
        case .password:
            state = .naming
            return [Said.askUser]
        }
    }

    private mutating func named(_ text: String) -> [Effect] {
        user = SecretShape.unquoted(text)
        guard !user.isEmpty else { return wrong("nothing was typed", status: 2, ask: Said.askUser) }
        // It would be sent to VK as a name.
        guard user.utf8.count <= 254, !["remixsid", "vk1.a.", "access_token="].contains(where: user.contains) else {
            return wrong("this is no name: it was not used", status: 2, ask: Said.askUser)
        }
        state = .waiting(.password)
        return [secretEffect(.password)]
    }

    private mutating func pasted(_ text: String, _ way: LoginWay) -> [Effect] {
        let isFromFile = readsFile
        readsFile = false
        switch SecretShape.look(text, for: way) {
        case .slip(let sentence): return wrong(sentence, status: 2, ask: secretEffect(way))
        // A file may name itself.
        case .file where isFromFile:
            return wrong("that file has only the name of a file in it; paste what is meant", status: 2)
        case .file(let path):
            readsFile = true
            return [.say("This is the name of a file: it is read."), .read(path)]
        case .fit(let found, let secret):
            guard found != way else { return prove(way, secret) }
            let words: [LoginWay: String] = [
                .cookies: "These are cookies: they are taken as such.",
                .token: "This looks like a token: it is taken as one.",
                .url: "This is an address with a token in it: it is taken as such.",
            ]
            return (words[found].map { [.say($0)] } ?? []) + prove(found, secret)
        }
    }

    private mutating func prove(_ way: LoginWay, _ secret: Secret) -> [Effect] {
        state = .proving(way, secret)
        return [.say("Asking VK whose account this is …"), .prove(way, user: way == .password ? user : "", secret)]
    }

    /// VK's no to a secret: another may be good. Trouble of the network: the same may be. Anything else ends it.
    private mutating func refused(
        _ way: LoginWay, _ secret: Secret, _ code: String, _ message: String, _ status: Int32
    ) -> [Effect] {
        switch Failure.Code(rawValue: code) {
        case .badArgument, .notSignedIn, .clientRefused, .denied:
            state = chosen == .password ? .naming : .waiting(chosen)
            return wrong(
                message, status: status, ask: chosen == .password ? Said.askUser : secretEffect(chosen))
        case .network, .timeout, .serverBusy, .badAnswer:
            left -= 1
            guard left > 0 else { return [.warn(message), .giveUp(status: status)] }
            state = .again(way, secret)
            return [.warn(message), .ask("Enter tries once more, Ctrl-C leaves: ", shown: 8)]
        default: return [.warn(message), .giveUp(status: status)]
        }
    }

    /// One try is gone.
    private mutating func wrong(_ sentence: String, status: Int32, ask: Effect? = nil) -> [Effect] {
        left -= 1
        guard left > 0 else { return [.warn(sentence), .say(Said.leaving), .giveUp(status: status)] }
        guard case .waiting(let way) = state else { return [.warn(sentence)] + (ask.map { [$0] } ?? []) }
        return [.warn(sentence), ask ?? secretEffect(way)]
    }

    private func secretEffect(_ way: LoginWay) -> Effect {
        switch way {
        case .cookies: .askSecret("Paste it here, then Enter (it is not shown): ", mayHaveLines: true)
        case .token: .askSecret("Token, then Enter (it is not shown): ", mayHaveLines: true)
        case .url: .askSecret("Address, then Enter (it is not shown): ", mayHaveLines: true)
        case .password: .askSecret("Password (it is not shown): ", mayHaveLines: false)
        }
    }
}

extension LoginTalk {
    /// What is said. Where things are found: vk-api.md §1.5, §1.7, §1.11.
    enum Said {
        static let ways = [
            "How do you want to sign in to VK?",
            "  1  by a browser in which you are signed in. Best for daily use: no password, and nyand renews it by itself",
            "  2  by a token you already have, of a VK client that has music. When it ends you sign in again",
            "  3  over VK's own page. VK gives music to its own clients only, and such a token may last a day",
            "  4  by name and password, for a client whose id and secret are in the settings. VK often wants a captcha",
        ]
        static let choice = "1, 2, 3 or 4 (Enter is 1, Ctrl-C leaves): "
        static let user = "Phone number, e-mail address or login at VK: "
        /// The longest name of a way is `password`.
        static let askChoice = Effect.ask(choice, shown: 8)
        static let askUser = Effect.ask(user, shown: 64)
        static let leaving = "Nothing was changed. `nyanctl login` begins again."
        static let page =
            "Open this page in a browser, sign in, allow it, and paste the address it ends at (…/blank.html#…):"

        static let cookies = [
            "In a browser on a computer, where you are signed in:",
            "  1. open https://vk.ru, press F12 and choose the tab Network",
            "  2. type web_token into its filter and reload the page (F5); nothing there after a minute: reload again",
            "  3. click the line web_token, and under Request Headers copy the value of Cookie, all of it",
            "A cookies.txt or the JSON of a cookie extension does as well: its contents, or the name of its file.",
            "nyand keeps two of them (remixsid and p), as safe as your password. Signing out in that browser ends them.",
        ]
        static let token = [
            "The token of a VK client: letters, digits, . _ and -, often beginning with vk1.a.",
            "An address with access_token= in it does as well. Add `--profile NAME` for a client other than VK's web page.",
        ]
        static let next = [
            "Next: `nyanctl profile` lists your tracks (the first reading may take a moment), `nyanctl play 1` plays the "
                + "first, `nyanctl download 1` keeps it for offline"
        ]
    }
}
