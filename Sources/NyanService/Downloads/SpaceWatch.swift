import NyanCore
import NyanDBus

/// Looks now and then whether downloads can be written again: only while they are held because they cannot, so that an
/// idle daemon sleeps.
final class SpaceWatch {
    /// Pauses between looks, in seconds: doubled each time.
    private static let firstPause = 2
    private static let longestPause = 60
    /// The same where the folder looked well before and was not: a quota does not show.
    private static let longestVainPause = 600

    private let time: any TimeSource
    private var watching: Task<Void, Never>?
    /// How often in a row room was seen and nothing could be written all the same.
    private var vain = 0

    init(time: any TimeSource) { self.time = time }

    var isWatching: Bool { watching != nil }

    /// Looks until `isWell` answers true, then says so once.
    /// `atOnce`: nothing was tried yet; the first look does not wait.
    func begin(
        atOnce: Bool, _ isWell: @escaping @MainActor () async -> Bool, then done: @escaping @MainActor () -> Void
    ) {
        guard watching == nil else { return }
        var pause = min(Self.firstPause << min(vain, 10), Self.longestVainPause)
        watching = Task.onMain { [weak self, time] in
            if !atOnce {
                do { try await time.wait(for: .seconds(pause)) } catch { return }
            }
            while !Task.isCancelled {
                let isWell = await isWell()
                guard let self, !Task.isCancelled else { return }
                if isWell {
                    watching = nil
                    vain += 1
                    return done()
                }
                pause = max(min(pause * 2, Self.longestPause), min(pause, Self.longestVainPause))
                do { try await time.wait(for: .seconds(pause)) } catch { return }
            }
        }
    }

    func end() {
        watching?.cancel()
        watching = nil
    }

    /// Something was written whole: the folder is as well as it looks.
    func proved() { vain = 0 }
}
