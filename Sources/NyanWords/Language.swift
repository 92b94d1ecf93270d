import Glibc

/// The languages people are spoken to in.
public enum Language: Sendable {
    /// What the sources say.
    case english
    case russian

    /// This process' language. A program that was asked for JSON speaks to a program: English, which scripts may read.
    static let ofProcess: Language = {
        // Nearly everybody's way, and the quick one.
        let names = ["LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"]
        guard names.contains(where: { getenv($0).map { strstr($0, "ru") != nil } ?? false }) else { return .english }
        if CommandLine.arguments.dropFirst().prefix(while: { $0 != "--" }).contains("--json") { return .english }
        return Language { name in getenv(name).map { String(cString: $0) } }
    }()

    /// What the variables ask for. Locales need not be installed: the text decides.
    ///
    /// `LC_ALL`, else `LC_MESSAGES`, else `LANG` name the locale (locale(7)); where that is not C or POSIX, the first language
    /// of `LANGUAGE` that we speak goes before it (gettext's rule). A locale whose letters are not UTF-8 gets English, which
    /// every terminal can show.
    public init(_ variable: (String) -> String?) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
        let parts = locale.split(separator: "@", maxSplits: 1).first?.split(separator: ".", maxSplits: 1) ?? []
        let name = parts.first.map(String.init) ?? ""
        let letters = parts.count > 1 ? parts[1].lowercased().filter { $0 != "-" } : "utf8"
        guard !["", "C", "POSIX"].contains(name), letters == "utf8" else {
            self = .english
            return
        }
        let wished = (variable("LANGUAGE") ?? "").split(separator: ":").map(String.init) + [name]
        self = wished.lazy.compactMap(Self.named).first ?? .english
    }

    /// `ru`, `ru_RU`, `en_GB.UTF-8`; nil for a language we do not speak.
    private static func named(_ name: String) -> Language? {
        switch name.prefix(while: { $0.isLetter }).lowercased() {
        case "ru": .russian
        case "en": .english
        default: nil
        }
    }
}
