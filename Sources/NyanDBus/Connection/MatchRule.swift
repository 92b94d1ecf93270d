/// Which signals to receive: every field that is set must match. An empty rule matches every signal on the bus.
nonisolated public struct MatchRule: Sendable, Hashable {
    /// A unique or well-known name; a well-known one follows its owner.
    public var sender: String?
    public var path: ObjectPath?
    /// The path or anything below it. Not together with `path`.
    public var pathNamespace: ObjectPath?
    public var interface: String?
    public var member: String?
    /// The first argument, a string.
    public var arg0: String?
    /// The first argument, a bus name equal to this or below it (`org.example` also matches `org.example.x`).
    public var arg0Namespace: String?

    public init(
        sender: String? = nil, path: ObjectPath? = nil, pathNamespace: ObjectPath? = nil, interface: String? = nil,
        member: String? = nil, arg0: String? = nil, arg0Namespace: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.pathNamespace = pathNamespace
        self.interface = interface
        self.member = member
        self.arg0 = arg0
        self.arg0Namespace = arg0Namespace
    }

    /// The rule in the bus' own words.
    /// - Throws: `InvalidArgs` where a field is not a valid name.
    func text() throws(BusError) -> String {
        if let sender, !BusNames.isBusName(sender) { throw .invalidArguments("not a bus name: \(sender)") }
        if let interface, !BusNames.isInterface(interface) {
            throw .invalidArguments("not an interface name: \(interface)")
        }
        if let member, !BusNames.isMember(member) { throw .invalidArguments("not a member name: \(member)") }
        if path != nil, pathNamespace != nil { throw .invalidArguments("path and pathNamespace exclude each other") }
        if let arg0, arg0.utf8.contains(0) { throw .invalidArguments("arg0 holds a NUL") }
        // The bus takes one-element namespaces too, so this is not a bus name check.
        if let space = arg0Namespace, !BusNames.isMember(space), !BusNames.isBusName(space) {
            throw .invalidArguments("not a namespace: \(space)")
        }
        let fields: [(String, String?)] = [
            ("sender", sender), ("path", path?.text), ("path_namespace", pathNamespace?.text),
            ("interface", interface), ("member", member), ("arg0", arg0), ("arg0namespace", arg0Namespace),
        ]
        return fields.reduce(into: "type='signal'") { text, field in
            if let value = field.1 { text += ",\(field.0)=\(Self.quoted(value))" }
        }
    }

    /// Inside quotes everything is itself; an apostrophe is written outside them, behind a backslash.
    private static func quoted(_ text: String) -> String {
        let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.map { String($0) }.joined(separator: "'\\''") + "'"
    }

    /// Whether a well-known sender's owner must be known to decide.
    var followsOwner: Bool {
        guard let sender else { return false }
        return !sender.hasPrefix(":") && sender != BusDriver.name
    }
}
