public import NyanCore
import NyanDBus

// Pictures inside files that are new in My Music.
extension CoverService {
    /// More files than this at a time have their covers looked for when they are played.
    private static let mostUnseen = 2000

    /// Finds the covers of these files, one after the other, so that listings show them before anybody plays them.
    public func look(into copies: [FinishedCopy]) {
        unseen += copies.prefix(max(0, Self.mostUnseen - unseen.count))
        guard looking == nil, !unseen.isEmpty else { return }
        looking = Task.onMain { [self] in
            while !unseen.isEmpty {
                let copy = unseen.removeFirst()
                guard let path = await cache.embedded(in: copy.path, beside: false) else { continue }
                stored()
                try? await library.setCover(path, of: copy.id)
            }
            looking = nil
            hub.changed(.library)
        }
    }
}
