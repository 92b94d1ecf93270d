/// Foreign text in XML-like markup (Pango's in status bars, that of notifications): it must not be taken for markup.
///
/// By scalars, as markup is read: to Swift `<` and a mark behind it are one `Character`, which equals no sign.
public enum Markup {
    /// `&`, `<` and `>` as entities.
    public static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { $0 += entity(of: $1) ?? String($1) }
    }

    /// Harmless also between quotes: those are entities too. Control characters, which markup cannot hold, are left out; a
    /// tab is a blank.
    public static func quotable(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            case "\t": result += " "
            case _ where scalar.value < 0x20 || scalar.value & 0xFFFE == 0xFFFE: return
            default: result += entity(of: scalar) ?? String(scalar)
            }
        }
    }

    private static func entity(of scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        default: nil
        }
    }
}
