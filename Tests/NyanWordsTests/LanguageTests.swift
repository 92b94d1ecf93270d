import NyanWords
import Testing

/// Whose language the variables mean.
@Suite("The language")
struct LanguageTests {
    struct Row: Sendable {
        var variables: [String: String]
        var isRussian: Bool
    }

    private static let rows: [Row] = [
        Row(variables: [:], isRussian: false),
        Row(variables: ["LANG": "ru_RU.UTF-8"], isRussian: true),
        Row(variables: ["LANG": "ru_RU.utf8"], isRussian: true),
        Row(variables: ["LANG": "ru"], isRussian: true),
        Row(variables: ["LANG": "ru_UA.UTF-8@euro"], isRussian: true),
        // Not only by its first letters.
        Row(variables: ["LANG": "run_BI.UTF-8"], isRussian: false),
        Row(variables: ["LANG": "de_DE.UTF-8"], isRussian: false),
        // What the terminal cannot show.
        Row(variables: ["LANG": "ru_RU.KOI8-R"], isRussian: false),
        Row(variables: ["LANG": "C.UTF-8"], isRussian: false),
        Row(variables: ["LANG": "POSIX"], isRussian: false),
        Row(variables: ["LANG": "ru_RU.UTF-8", "LC_MESSAGES": "en_US.UTF-8"], isRussian: false),
        Row(variables: ["LANG": "en_US.UTF-8", "LC_MESSAGES": "ru_RU.UTF-8"], isRussian: true),
        Row(variables: ["LANG": "ru_RU.UTF-8", "LC_MESSAGES": "ru_RU.UTF-8", "LC_ALL": "C"], isRussian: false),
        Row(variables: ["LC_ALL": "", "LANG": "ru_RU.UTF-8"], isRussian: true),
        // Other categories are about numbers and letters.
        Row(variables: ["LANG": "en_US.UTF-8", "LC_CTYPE": "ru_RU.UTF-8"], isRussian: false),
        Row(variables: ["LANG": "en_US.UTF-8", "LANGUAGE": "ru"], isRussian: true),
        Row(variables: ["LANG": "ru_RU.UTF-8", "LANGUAGE": "en:ru"], isRussian: false),
        Row(variables: ["LANG": "de_DE.UTF-8", "LANGUAGE": "de:ru:en"], isRussian: true),
        Row(variables: ["LANG": "C", "LANGUAGE": "ru"], isRussian: false),
        Row(variables: ["LANGUAGE": "ru"], isRussian: false),
    ]

    @Test("the variables' text decides, in gettext's order", arguments: rows)
    func variables(row: Row) {
        #expect(Language { row.variables[$0] } == (row.isRussian ? .russian : .english))
    }
}
