import FoundationEssentials

/// A JSON document that can be spoilt at any one place and written again; members are kept in no order.
nonisolated indirect enum JSONTree: Decodable, Sendable {
    case object([String: JSONTree])
    case array([JSONTree])
    /// A text as it is between its quotes, already escaped.
    case text(String)
    /// A number, a boolean, null, or whatever a test wants to stand there as it is.
    case raw(String)

    /// Members and numbers that lead to one place.
    typealias Path = [Step]

    enum Step: Hashable, Sendable {
        case member(String)
        case element(Int)
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let object = try? value.decode([String: JSONTree].self) {
            self = .object(object)
        } else if let array = try? value.decode([JSONTree].self) {
            self = .array(array)
        } else if let text = try? value.decode(String.self) {
            self = .text(Self.escaped(text))
        } else if let flag = try? value.decode(Bool.self) {
            self = .raw("\(flag)")
        } else if let number = try? value.decode(Int64.self) {
            self = .raw("\(number)")
        } else if let number = try? value.decode(Double.self) {
            self = .raw("\(number)")
        } else {
            self = .raw("null")
        }
    }

    init(_ text: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(text.utf8)) }

    var written: String {
        switch self {
        case .object(let members):
            "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value.written)" }.joined(separator: ",")
                + "}"
        case .array(let elements): "[" + elements.map(\.written).joined(separator: ",") + "]"
        case .text(let text): "\"\(text)\""
        case .raw(let text): text
        }
    }

    /// Every place in it, the whole document included.
    var paths: [Path] {
        switch self {
        case .object(let members):
            [[]] + members.sorted { $0.key < $1.key }.flatMap { key, value in value.paths.map { [.member(key)] + $0 } }
        case .array(let elements):
            [[]] + elements.enumerated().flatMap { index, value in value.paths.map { [.element(index)] + $0 } }
        case .text, .raw: [[]]
        }
    }

    /// The same with something else at `path`; nil = nothing at all.
    func replacing(_ path: ArraySlice<Step>, with value: (JSONTree) -> JSONTree?) -> JSONTree? {
        guard let step = path.first else { return value(self) }
        switch (self, step) {
        case (.object(var members), .member(let key)):
            members[key] = members[key].flatMap { $0.replacing(path.dropFirst(), with: value) }
            return .object(members)
        case (.array(var elements), .element(let index)):
            if let changed = elements[index].replacing(path.dropFirst(), with: value) {
                elements[index] = changed
            } else {
                elements.remove(at: index)
            }
            return .array(elements)
        default: return self
        }
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "\"" || scalar == "\\" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
    }
}
