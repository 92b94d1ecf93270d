/// A friend or a group whose music may be listed.
public struct Person: Sendable, Equatable, Codable {
    /// Negative for groups.
    public var id: Int64
    public var name: String
    /// The last part of the address, such as `durov`; nil where VK tells none.
    public var screenName: String?
    /// Nothing speaks against it; only a try tells for certain.
    public var canListen: Bool
    /// Why not, in a word or two.
    public var obstacle: String?
    public init(id: Int64, name: String, screenName: String? = nil, canListen: Bool = true, obstacle: String? = nil) {
        self.id = id
        self.name = name
        self.screenName = screenName
        self.canListen = canListen
        self.obstacle = obstacle
    }
}

/// Port: the signed-in person's friends and groups, and whose a name is (vk-api.md §2.7).
@MainActor public protocol PeopleSource: AnyObject {
    func friends() async throws(Failure) -> [Person]
    func groups() async throws(Failure) -> [Person]
    /// The owner behind a screen name; nil where nobody has it, or something else than a person or group.
    func owner(named screenName: String) async throws(Failure) -> Int64?
}
