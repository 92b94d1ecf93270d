/// A D-Bus interface as data: what introspection shows, what is checked, and what is dispatched.
nonisolated public struct Interface: Sendable, Equatable {
    public let name: String
    public let methods: [Method]
    public let properties: [Property]
    public let signals: [Signal]

    public init(
        _ name: String, methods: [Method] = [], properties: [Property] = [], signals: [Signal] = []
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.signals = signals
    }

    public func method(_ name: String) -> Method? { methods.first { $0.name == name } }
    public func property(_ name: String) -> Property? { properties.first { $0.name == name } }
    public func signal(_ name: String) -> Signal? { signals.first { $0.name == name } }
}

/// A named value of one complete type.
nonisolated public struct Argument: Sendable, Equatable {
    public let name: String
    public let type: Signature

    public init(_ name: String, _ type: Signature) {
        self.name = name
        self.type = type
    }
}

/// A method: what it takes and what it answers.
nonisolated public struct Method: Sendable, Equatable {
    public let name: String
    public let input: [Argument]
    public let output: [Argument]

    public init(_ name: String, in input: [Argument] = [], out output: [Argument] = []) {
        self.name = name
        self.input = input
        self.output = output
    }

    /// What a call's arguments must be.
    public var inputSignature: Signature { Signature(input.flatMap(\.type.types)) }
    var outputSignature: Signature { Signature(output.flatMap(\.type.types)) }
}

/// A signal and its arguments.
nonisolated public struct Signal: Sendable, Equatable {
    public let name: String
    public let arguments: [Argument]

    public init(_ name: String, _ arguments: [Argument] = []) {
        self.name = name
        self.arguments = arguments
    }

    var signature: Signature { Signature(arguments.flatMap(\.type.types)) }
}

/// A property of one complete type.
nonisolated public struct Property: Sendable, Equatable {
    /// Whether clients may set it.
    public enum Access: String, Sendable {
        case read
        case readWrite = "readwrite"
    }

    /// How its changes are told (the annotation `EmitsChangedSignal`).
    public enum Changes: String, Sendable {
        /// PropertiesChanged carries the new value; the default.
        case withValue = "true"
        /// PropertiesChanged names it as invalidated.
        case invalidates
        /// It never changes while the object is there.
        case const
        /// Changes are not told.
        case silent = "false"
    }

    public let name: String
    public let type: Signature
    public let access: Access
    public let changes: Changes

    public init(_ name: String, _ type: Signature, _ access: Access = .read, emitsChanged: Changes = .withValue) {
        self.name = name
        self.type = type
        self.access = access
        self.changes = emitsChanged
    }
}
