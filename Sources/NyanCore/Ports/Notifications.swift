/// What the desktop is to show for a moment. Plain text: markup and line breaks are the adapter's to deal with.
public struct Notice: Sendable, Equatable {
    /// A later one takes the place of the one before of its kind.
    public enum Kind: String, Sendable, CaseIterable {
        case downloads
        case track
    }

    public var kind: Kind
    public var title: String
    public var body: String
    /// Absolute path of a picture; nil = our own icon.
    public var picture: String?

    public init(_ kind: Kind, title: String, body: String, picture: String? = nil) {
        self.kind = kind
        self.title = title
        self.body = body
        self.picture = picture
    }
}

/// Port: the desktop's notifications. Showing one never waits, and where nobody shows them nothing happens.
@MainActor public protocol Notifications: AnyObject {
    func show(_ notice: Notice)
}
