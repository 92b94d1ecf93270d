/// Our own sentences in the person's language, translated where they leave the program (decision 0031).
///
/// Titles, names and other data never go through here on their own: a track called “paused” keeps its name. In English
/// nothing is looked up.
public enum Words {
    /// Set for a test; else the process' own.
    @TaskLocal public static var language = Language.ofProcess

    /// The sentence in the person's language; one the catalogue does not know stays as it is.
    public static func said(_ english: String) -> String {
        language == .english ? english : Catalogue.russian.said(english) ?? english
    }

    /// A message as it goes out: several sentences line by line, and the program's name in front stays.
    public static func message(_ english: String) -> String {
        guard language != .english else { return english }
        let name = "nyanctl: "
        guard !english.hasPrefix(name) else { return name + message(String(english.dropFirst(name.count))) }
        if let whole = Catalogue.russian.said(english) { return whole }
        return english.split(separator: "\n", omittingEmptySubsequences: false).map { said(String($0)) }
            .joined(separator: "\n")
    }

    /// Whether a person agrees, in their own language; English answers are everybody's.
    public static func isYes(_ answer: String) -> Bool {
        language == .russian && (answer == "д" || answer == "да")
    }
}
