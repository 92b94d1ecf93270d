/// The lists of `nyanctl ui`, in the order of their tabs.
nonisolated enum UITab: Int, CaseIterable, Sendable {
    case profile, music, search, downloads, queue

    /// In English; `Words.said` knows the others.
    var title: String {
        switch self {
        case .profile: "Profile"
        case .music: "My Music"
        case .search: "Search"
        case .downloads: "Downloads"
        case .queue: "Queue"
        }
    }

    /// The daemon lists it when it is asked; the others come by themselves or by a question of the person's.
    var isAskedFor: Bool { self == .profile || self == .music || self == .queue }
}
