public import NyanCore
public import NyanDBus

/// Friends and groups as they travel; an empty string stands for an absent screen name or obstacle.
public enum PersonCoding {
    public nonisolated static let signature: Signature = "(xssbs)"
    public nonisolated static let listSignature: Signature = "a(xssbs)"

    public nonisolated static func list(_ people: [Person]) -> BusValue {
        .array(
            people.map { person in
                .structure([
                    .int64(person.id), .string(person.name), .string(person.screenName ?? ""),
                    .bool(person.canListen), .string(person.obstacle ?? ""),
                ])
            }, of: signature)
    }

    /// nil where the value has another shape.
    public nonisolated static func people(_ value: BusValue) -> [Person]? {
        guard let elements = value.elements else { return nil }
        let people = elements.compactMap { element -> Person? in
            guard let fields = element.fields, fields.count == 5, let id = fields[0].int64,
                let name = fields[1].string
            else { return nil }
            return Person(
                id: id, name: name, screenName: present(fields[2]), canListen: fields[3].bool ?? true,
                obstacle: present(fields[4]))
        }
        return people.count == elements.count ? people : nil
    }

    private nonisolated static func present(_ value: BusValue) -> String? {
        value.string.flatMap { $0.isEmpty ? nil : $0 }
    }
}
