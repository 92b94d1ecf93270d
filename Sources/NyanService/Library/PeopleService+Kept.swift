public import NyanCore

/// Friends and groups as they were listed last; VK is not asked.
extension PeopleService {
    /// Empty where nobody is signed in or nothing was listed yet.
    public func kept() async -> [Person] {
        guard account.account != nil else { return [] }
        return (await kept(.friends) ?? []) + (await kept(.groups) ?? [])
    }
}
