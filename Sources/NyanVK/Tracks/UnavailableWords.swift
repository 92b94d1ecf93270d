/// Why a track cannot be had, in words for a person. VK does not say what its numbers mean (vk-api.md §2.1
/// `content_restricted`), so neither do we.
nonisolated enum UnavailableWords {
    static let silent = "VK gives no sound for it now: taken away by its owner, or not for this country or account"
    static let notice = "VK gives only a spoken notice instead of it"
    static let sample = "VK gives only a short sample of it: the whole track needs a VK subscription"

    static func restricted(_ number: Int) -> String {
        "VK restricts it for this account or country (VK's reason \(number))"
    }
}
