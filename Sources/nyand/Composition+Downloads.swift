import NyanCore
import NyanService
import NyanStore

extension Composition {
    /// What the downloads are told by others: ids of one recording, room on the disk, what is heard, known lyrics; who writes
    /// measured gain into finished files, and who looks for the covers of imported ones and of the next track.
    func connectDownloads() {
        imports.onTaken = { [covers] in covers.look(into: $0) }
        covers.following = { [weak player] in
            guard let player, let next = player.listening.dropFirst().first else { return nil }
            return player.state.entries.first { $0.track.id == next }?.track
        }
        downloads.twins = { [store] id throws(Failure) in try await store.twins(of: id) }
        downloads.twinsAmong = { [store] ids throws(Failure) in try await store.twins(among: ids) }
        downloads.rooms = FolderRooms(music: music, growing: places.unfinishedFolder)
        downloads.listening = { [weak player] in player?.listening ?? [] }
        downloads.knownLyrics = { [store] id in (try? await store.lyrics(of: id))?.lyrics }
        loudness.tag = { [music, store, log] copy, reading in
            do throws(Failure) {
                guard let tagged = try await music.tag(copy, with: reading) else { return copy }
                try await store.addCopy(tagged)
                return tagged
            } catch {
                log.notice("\(copy.id): its gain could not be written into the file: \(error.message)")
                return copy
            }
        }
    }

    /// The one problem a person is told, most urgent first: what waits for an answer, then what sounds, then what cannot
    /// be saved.
    func problem(of playback: PlaybackState) -> Failure? {
        challenges.problem ?? playback.problem ?? player.savingProblem ?? account.problem ?? downloads.problem
            ?? musicWatch.problem ?? scrobbles.problem
    }
}
