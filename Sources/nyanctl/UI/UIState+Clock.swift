import NyanCore
import NyanWire

/// What changes by itself.
extension UIState {
    /// Seconds into the current track.
    func position(at now: Double) -> Double {
        guard let status else { return 0 }
        guard status.state == .playing else { return status.position }
        let position = status.position + max(0, now - asOf)
        return min(position, status.duration ?? position)
    }

    /// Seconds until the sound is paused; nil without such a timer.
    func sleepsIn(at now: Double) -> Double? {
        guard case .remaining(let seconds)? = status?.sleepTimer else { return nil }
        return max(0, seconds - max(0, now - asOf))
    }

    /// Seconds until what is shown is another, without a word of the daemon's; nil = it stays as it is.
    func nextChange(at now: Double) -> Double? {
        guard isPresent else { return nil }
        var moments: [Double] = []
        let place = position(at: now)
        // At its end a track stands still until the next one is told of.
        if status?.state == .playing, status?.duration.map({ place < $0 }) ?? true {
            moments.append(1.02 - place.truncatingRemainder(dividingBy: 1))
        }
        if let left = sleepsIn(at: now), left > 0 {
            let part = left.truncatingRemainder(dividingBy: 1)
            moments.append((part > 0 ? part : 1) + 0.02)
        }
        // The speed of a download that stands still grows old.
        if downloads.all.contains(where: { $0.speed != nil && $0.state == .running }) { moments.append(1) }
        return moments.min()
    }
}
