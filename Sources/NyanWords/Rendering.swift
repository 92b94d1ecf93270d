/// A translation with places for what stood in the English sentence's holes.
///
/// `%1` is the hole's text as it is, `{%1#}` a number, with Russian's decimal comma, `{%1_}` a text without blanks, such as
/// a track's id, `{%1}` a sentence or word of ours, to be translated too, and `{%1|трек|трека|треков}` the form that goes
/// with the number in the hole: one, few, many. `{%1~}` is a title, of which nothing is ever read as a sentence.
struct Rendering: Sendable {
    struct Place: Sendable {
        enum Kind: Sendable { case data, number, name, title, sentence }
        /// Counted from 0.
        var hole: Int
        var kind: Kind
    }

    private enum Part: Sendable {
        case text(String)
        case place(Place)
        case forms(hole: Int, [Rendering])
    }

    private var parts: [Part] = []

    init(_ bytes: [UInt8]) {
        var plain: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            let inBraces = byte == UInt8(ascii: "{") && rest.first == UInt8(ascii: "%")
            guard inBraces || byte == UInt8(ascii: "%"), let hole = Self.number(inBraces ? rest.dropFirst() : rest)
            else {
                plain.append(byte)
                continue
            }
            parts.append(.text(String(decoding: plain, as: UTF8.self)))
            plain = []
            rest = rest.dropFirst(inBraces ? 2 : 1)
            guard inBraces else {
                parts.append(.place(Place(hole: hole, kind: .data)))
                continue
            }
            let inside = rest.prefix { $0 != UInt8(ascii: "}") }
            rest = rest[inside.endIndex...].dropFirst()
            let forms = inside.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false).dropFirst()
            parts.append(
                forms.isEmpty
                    ? .place(Place(hole: hole, kind: Self.kind(inside.last)))
                    : .forms(hole: hole, forms.map { Rendering(Array($0)) }))
        }
        parts.append(.text(String(decoding: plain, as: UTF8.self)))
    }

    /// The kind that the last sign in the braces names.
    private static func kind(_ sign: UInt8?) -> Place.Kind {
        switch sign {
        case UInt8(ascii: "#"): .number
        case UInt8(ascii: "_"): .name
        case UInt8(ascii: "~"): .title
        default: .sentence
        }
    }

    private static func number(_ rest: ArraySlice<UInt8>) -> Int? {
        guard let digit = rest.first, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(digit) else { return nil }
        return Int(digit - UInt8(ascii: "1"))
    }

    /// The same behind one more hole.
    func behind(_ kind: Place.Kind) -> Rendering {
        var result = moved()
        result.parts.insert(.place(Place(hole: 0, kind: kind)), at: 0)
        return result
    }

    private func moved() -> Rendering {
        var result = self
        result.parts = parts.map { part in
            switch part {
            case .text: part
            case .place(let place): .place(Place(hole: place.hole + 1, kind: place.kind))
            case .forms(let hole, let forms): .forms(hole: hole + 1, forms.map { $0.moved() })
            }
        }
        return result
    }

    /// Whether a title stands in it.
    var holdsTitle: Bool {
        parts.contains { part in
            if case .place(let place) = part { place.kind == .title } else { false }
        }
    }

    /// Whether there are numbers wherever one must be, and no blanks where none may be.
    func fits(_ holes: [String]) -> Bool {
        parts.allSatisfy { part in
            switch part {
            case .forms(let hole, _): holes.indices.contains(hole) && Int(holes[hole]) != nil
            case .place(let place) where place.kind == .number:
                holes.indices.contains(place.hole)
                    && holes[place.hole].utf8.allSatisfy { (48...57).contains($0) || $0 == 46 }
            case .place(let place) where place.kind == .name:
                holes.indices.contains(place.hole) && !holes[place.hole].utf8.contains(UInt8(ascii: " "))
            default: true
            }
        }
    }

    /// `fill` gives the text of a place. Forms are chosen by the number as it stands in the hole.
    func text(_ fill: (Place) -> String) -> String {
        parts.reduce(into: "") { result, part in
            switch part {
            case .text(let text): result += text
            case .place(let place): result += fill(place)
            case .forms(let hole, let forms):
                result += forms[min(Self.form(fill(Place(hole: hole, kind: .data))), forms.count - 1)].text(fill)
            }
        }
    }

    /// Which of Russian's forms goes with a number: 1 трек, 2 трека, 5 треков; 11 to 14 are many.
    static func form(_ number: String) -> Int {
        let digits = (Int(number) ?? 0).magnitude
        return switch (digits % 10, digits % 100) {
        case (_, 11...14): 2
        case (1, _): 0
        case (2...4, _): 1
        default: 2
        }
    }
}
