/// A text that must never be shown: a token, a cookie, a signed media URL. Prints as `•••` wherever it is described.
public struct Secret: Sendable, Equatable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The text itself: only for a request body, a header to the right host, a file descriptor or the secret store.
    public let revealed: String

    public init(_ text: String) { revealed = text }

    public var description: String { "•••" }
    public var debugDescription: String { "•••" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
