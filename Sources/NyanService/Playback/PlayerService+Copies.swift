import NyanCore

/// What a load finds in My Music.
enum LocalCopy {
    case none
    /// `id`: under which it was measured; a twin's copy is as good as the own one.
    case sound(any ByteSource, id: TrackID)
    /// There is a file, but it cannot be played, for a reason in words that end a sentence.
    case useless(String)
}

// Finished copies as sources of sound.
extension PlayerService {
    /// A finished copy, if the library knows one and its file can be opened and is no obvious nonsense.
    func localCopy(of id: TrackID) async -> LocalCopy {
        guard let copy = try? await library.copy(of: id) else { return .none }
        do {
            let bytes = try copies.openFile(copy.path)
            guard let complaint = Self.complaint(about: bytes) else { return .sound(bytes, id: copy.id) }
            return useless(copy, complaint)
        } catch {
            // Forgotten only where the folder is there and the file is not: a disk may be away for a while.
            guard copy.isGone else { return useless(copy, "cannot be opened: \(error.message)") }
            log.notice("\(id): its file is gone; playing from VK: \(error.message)")
            await onGone(copy.id)
            try? await library.removeCopy(copy.id)
            hub.changed(.library)
            return .none
        }
    }

    private func useless(_ copy: FinishedCopy, _ complaint: String) -> LocalCopy {
        log.notice("\(copy.id): its file \(complaint); playing from VK")
        return .useless("its file in My Music \(complaint)")
    }

    /// Why a file is no sound, by its first bytes. More than that only the decoder can tell.
    private static func complaint(about bytes: any ByteSource) -> String? {
        if bytes.size == 0 { return "is empty" }
        var head = [UInt8](repeating: 0, count: 1024)
        switch head.withUnsafeMutableBytes({ bytes.read(at: 0, into: $0) }) {
        case .bytes(let count): head.removeSubrange(count...)
        case .end: return "is empty"
        case .failed, .notYet: return "cannot be read"
        }
        // No sound begins with a screenful of printable characters.
        let isText = head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
        return isText ? "is a text and no sound" : nil
    }

    /// What proved to be no sound must not be found in the stream cache the next time: the server may have recovered.
    func distrust(_ input: PlaybackInput) {
        guard case .engine(.failed(let load, let failure)) = input, failure.code == .damagedSound,
            let claim = claim(of: load)
        else { return }
        transfers.distrust(claim)
    }
}
