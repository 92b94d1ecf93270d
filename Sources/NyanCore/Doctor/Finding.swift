/// One line of `nyanctl doctor`: what was looked at, how it is, and what to do about it.
public struct Finding: Sendable, Equatable {
    /// What was looked at, in a word that scripts may rely on; raw values are the JSON `check` and are never renamed.
    public enum Check: String, Sendable, CaseIterable {
        case bus, daemon
        case names = "bus-names"
        case pieces = "gstreamer"
        case mp3 = "decoder-mp3"
        case aac = "decoder-aac"
        case flac = "decoder-flac"
        case sink
        case server = "sound-server"
        case keyring, account, network
        case music = "disk-music"
        case library = "disk-library"
        case state = "disk-state"
        case cache = "disk-cache"
        case unit, activation, settings, problem
    }

    /// Raw values are the JSON `state` and are never renamed.
    public enum State: String, Sendable, CaseIterable {
        case ok
        /// nyand works as it is; worth knowing all the same.
        case note
        /// Something does not work, and `advice` says what to do. Makes the exit status 1.
        case problem
        /// Not looked at; `message` says why.
        case skipped
    }

    public var check: Check
    public var state: State
    /// How it is, in a sentence without a full stop.
    public var message: String
    /// What to do; empty where there is nothing to do.
    public var advice: String
    /// Debian's names of what to install, the likeliest first.
    public var packages: [String]
    /// GStreamer elements that are missing, by which other distributions find their package.
    public var elements: [String]

    public init(
        _ check: Check, _ state: State, _ message: String, advice: String = "", packages: [String] = [],
        elements: [String] = []
    ) {
        self.check = check
        self.state = state
        self.message = message
        self.advice = advice
        self.packages = packages
        self.elements = elements
    }
}

/// A GStreamer element that is not installed, with the Debian package that has it.
public struct MissingElement: Sendable, Equatable {
    public var element: String
    public var package: String
    public init(_ element: String, in package: String) {
        self.element = element
        self.package = package
    }
}
