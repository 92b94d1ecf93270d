// Making: short ways to the containers that come up most.
nonisolated extension BusValue {
    /// An `as`.
    public static func strings(_ strings: some Sequence<String>) -> BusValue {
        .array(strings.map { .string($0) }, of: BasicType.string.signature)
    }

    /// An `ao`.
    public static func objectPaths(_ paths: some Sequence<ObjectPath>) -> BusValue {
        .array(paths.map { .objectPath($0) }, of: BasicType.objectPath.signature)
    }

    /// An `a{sv}`, sorted by key so that equal dictionaries look alike on the wire. Each value is put into a variant
    /// unless it is one already.
    public static func dictionary(_ values: [String: BusValue]) -> BusValue {
        .dictionary(pairs: values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    /// An `a{sv}` in the given order.
    public static func dictionary(pairs: [(String, BusValue)]) -> BusValue {
        let entries = pairs.map { BusDict.Entry(key: .string($0.0), value: $0.1.inVariant) }
        return .dict(BusDict(keyType: .string, value: variantSignature, entries: entries))
    }

    /// An `aa{sv}`.
    public static func dictionaries(_ list: some Sequence<[String: BusValue]>) -> BusValue {
        .array(list.map { .dictionary($0) }, of: dictionarySignature)
    }

    /// This value in one variant; a variant as it is.
    public var inVariant: BusValue {
        if case .variant = self { self } else { .variant(self) }
    }

    private static let variantSignature: Signature = "v"
    private static let dictionarySignature: Signature = "a{sv}"
}
