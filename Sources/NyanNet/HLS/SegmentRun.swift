import Dispatch
import NyanCore

/// Fills a copy from an HLS playlist: a few segments at a time over connections that stay open, decrypted, demuxed and
/// written strictly in order. Every segment is mandatory (vk-api.md §4.4).
final class SegmentRun {
    /// Segments in memory, in flight or waiting for their turn: so many always,
    private static let width = 4
    /// so many while few are fetched in all and they are short: on a long line each waits for an answer most of the time.
    private static let mostWidth = 8
    /// Files of playlists fetched at the same time by all transfers, above `width` each.
    private static let mostFetches = 12
    /// Seconds of sound in memory above `width`: 4 MB of the best that VK has.
    private static let longestAhead = 100.0
    /// With a speed limit: fewer, so that each still moves.
    private static let limitedWidth = 2
    /// A damaged segment is fetched again so often.
    private static let mostDamages = 3
    /// No sound is as long, whatever its playlist says.
    private static let mostBytes = 1e15
    /// Seconds two playlists' EXTINF may differ and still mean the same segment.
    private static let durationSlack = 0.01

    /// Where large segments are decoded: one at a time, all transfers together, which is some milliseconds for each.
    /// Labelled, as a global queue never rests again once it was used.
    private static let decoding = DispatchQueue(label: "org.nyantunes.Nyand.segments")

    private struct Slot {
        var fetch: SegmentFetch?
        /// Fetched, and waiting for its key.
        var sealed: [UInt8]?
        /// Decoded, and waiting for its turn.
        var sound: [UInt8]?
        /// What came last and was doubtful.
        var doubtful: [UInt8]?
        var damages = 0
    }

    private let transfer: CurlTransfer
    private var variant: SegmentFetch?
    private var playlist = HLSPlaylist(segments: [])
    private var progress = SegmentProgress(done: 0, bytes: 0, durations: [])
    private var next = 0
    /// The last segment that is there, while it is fetched once more: nothing is written until it is known to be the same.
    private var proving: Int?
    private var slots: [Int: Slot] = [:]
    private lazy var keys = KeyRing(transfer) { [weak self] in self?.keyArrived($0, $1) }
    /// The first segment that cannot be had: those before it are still brought home.
    private var failed: (index: Int, failure: Failure)?

    init(_ transfer: CurlTransfer) { self.transfer = transfer }

    /// `url` is where the playlist was fetched from, after redirects.
    func begin(_ bytes: [UInt8], url: Secret, isVariant: Bool = false) {
        do {
            switch try HLSDocument(bytes, url: url) {
            case .media(let playlist): open(playlist)
            case .master where isVariant:
                transfer.fail(Failure(.badAnswer, "The playlist of this sound leads to no sound."))
            case .master(let best):
                variant = SegmentFetch(transfer, url: best, speedLimit: nil) { [self] result in
                    variant = nil
                    switch result {
                    case .success(let body): begin(body.bytes, url: body.url, isVariant: true)
                    case .failure(let failure): transfer.fail(failure)
                    }
                }
            }
        } catch { transfer.fail(error.failure) }
    }

    func cancel() {
        variant?.cancel()
        keys.cancel()
        for slot in slots.values { slot.fetch?.cancel() }
        slots = [:]
    }

    /// By the share of the sound's seconds that is there; nil before the first segment and when the playlist names no
    /// durations. Good for a percentage, never for a file's size.
    var estimatedTotal: Int64? {
        let there = progress.durations.prefix(progress.done).reduce(0, +)
        guard there > 0 else { return nil }
        let total = Double(progress.bytes) * max(1, playlist.length / there)
        // A playlist may name next to no seconds for what is there.
        return total < Self.mostBytes ? Int64(total) : nil
    }

    /// Goes on behind the segments that are there if this is the same list, else starts over. Another encoding may have
    /// the same list: the last segment is fetched once more to see (decision 0018).
    private func open(_ playlist: HLSPlaylist) {
        self.playlist = playlist
        do {
            let copy = transfer.copy
            let earlier = copy.kind == .hls ? copy.segments : nil
            if earlier == nil || !Self.agree(earlier?.durations ?? [], playlist.durations) { try copy.reset() }
            _ = try copy.begin(kind: .hls, total: nil, validator: nil)
            // Asked again: the copy may have thrown the segments away.
            progress = copy.segments ?? SegmentProgress(done: 0, bytes: 0, durations: playlist.durations)
            next = progress.done
            if next > 0 { prove(next - 1) }
            try goOn()
        } catch { transfer.fail(error) }
    }

    private static func agree(_ old: [Double], _ new: [Double]) -> Bool {
        old.count == new.count && zip(old, new).allSatisfy { abs($0 - $1) <= durationSlack }
    }

    /// Writes whose turn it is, then keeps the line full; ends the attempt when nothing is left to do.
    private func goOn() throws(Failure) {
        while proving == nil, let sound = slots[progress.done]?.sound {
            try write(sound)
            slots[progress.done] = nil
            progress.done += 1
            progress.bytes += Int64(sound.count)
            try transfer.copy.segmentDone(progress)
            transfer.progressed()
            guard !transfer.isOver else { return }
        }
        if progress.done == playlist.segments.count, proving == nil {
            try transfer.copy.finish(total: progress.bytes)
            return transfer.finish()
        }
        if let failed {
            if progress.done >= failed.index { transfer.fail(failed.failure) }
            return
        }
        while next < playlist.segments.count, hasRoom, !transfer.isOver {
            slots[next] = Slot()
            fetch(next)
            next += 1
        }
    }

    /// Whether the next segment may be fetched now.
    private var hasRoom: Bool {
        guard transfer.speedLimit == nil else { return slots.count < Self.limitedWidth }
        if slots.count < Self.width { return true }
        guard slots.count < Self.mostWidth, SegmentFetch.count < Self.mostFetches else { return false }
        let ahead = slots.keys.reduce(playlist.segments[next].duration) { $0 + playlist.segments[$1].duration }
        return ahead <= Self.longestAhead
    }

    private func write(_ sound: [UInt8]) throws(Failure) {
        let offset = progress.bytes
        // Array's own door to its bytes cannot say which error it lets through.
        let result = sound.withUnsafeBytes { bytes in
            Result { () throws(Failure) in try transfer.copy.write(bytes, at: offset) }
        }
        try result.get()
    }

    private func fetch(_ index: Int) {
        let segment = playlist.segments[index]
        // Asking for the key now lets it come along with the segment.
        if let key = segment.key { _ = keys.cipher(key.url) }
        let share = transfer.speedLimit.map { max(1, $0 / Self.limitedWidth) }
        slots[index]?.sealed = nil
        // Begun before the slots are touched: nothing that beginning may do is to find them in the middle of a change.
        let fetch = SegmentFetch(
            transfer, url: segment.url, range: segment.range, speedLimit: share
        ) { [self] result in
            slots[index]?.fetch = nil
            switch result {
            case .failure(let failure): give(up: index, failure)
            case .success(let body): fetched(body.bytes, index)
            }
        }
        slots[index]?.fetch = fetch
    }

    private func fetched(_ bytes: [UInt8], _ index: Int) {
        var cipher: (SegmentCipher, [UInt8])?
        if let key = playlist.segments[index].key {
            guard let found = keys.cipher(key.url) else {
                slots[index]?.sealed = bytes
                return
            }
            cipher = (found, key.iv)
        }
        slots[index]?.sealed = nil
        let seconds = playlist.segments[index].duration
        guard bytes.count > SegmentDecoder.largestOnMain else {
            return decoded(
                SegmentDecoder.decode(bytes, cipher: cipher, isFirst: index == 0, seconds: seconds), index)
        }
        Self.decoding.async { [self, cipher] in
            let outcome = SegmentDecoder.decode(bytes, cipher: cipher, isFirst: index == 0, seconds: seconds)
            DispatchQueue.main.async { MainActor.assumeIsolated { self.decoded(outcome, index) } }
        }
    }

    private func keyArrived(_ url: Secret, _ failure: Failure?) {
        for index in slots.keys.sorted() where playlist.segments[index].key?.url == url {
            if let failure {
                slots[index]?.fetch?.cancel()
                give(up: index, failure)
            } else if let sealed = slots[index]?.sealed {
                fetched(sealed, index)
            }
        }
    }

    private func decoded(_ outcome: SegmentDecoder.Outcome, _ index: Int) {
        guard !transfer.isOver, slots[index] != nil else { return }
        if let key = playlist.segments[index].key { keys.note(key.url, opened: outcome != .damaged) }
        switch outcome {
        case .sound(let sound) where index == proving: proved(sound, isDoubtful: false)
        case .doubtful(let sound) where index == proving: proved(sound, isDoubtful: true)
        case .sound(let sound): accept(sound, index)
        case .doubtful(let sound):
            let isSame = slots[index]?.doubtful == sound
            slots[index]?.doubtful = sound
            // The whole sound's check has the last word on it.
            if isSame || !mayFetchAgain(index) { accept(sound, index) } else { fetch(index) }
        case .unsupported(let type):
            transfer.fail(
                Failure(.unsupported, "The sound is of a kind nyand cannot take from a playlist (\(type))."))
        case .damaged:
            if mayFetchAgain(index) { return fetch(index) }
            let part = "Part \(index + 1) of \(playlist.segments.count)"
            give(up: index, Failure(.damagedSound, "\(part) of the sound came damaged each time.", retry: .later))
        }
    }

    private func accept(_ sound: [UInt8], _ index: Int) {
        slots[index]?.sound = sound
        slots[index]?.doubtful = nil
        advance()
    }

    private func prove(_ index: Int) {
        proving = index
        slots[index] = Slot()
        fetch(index)
    }

    /// The last segment that is there came again: if not with the same bytes, the copy is of another file.
    private func proved(_ sound: [UInt8], isDoubtful: Bool) {
        guard let index = proving else { return }
        let start = progress.bytes - Int64(sound.count)
        let isSame = start >= 0 && sound.withUnsafeBytes { AnswerBody.holds(transfer.copy, $0, at: start) }
        // It may have come badly this time.
        if !isSame, isDoubtful, mayFetchAgain(index) { return fetch(index) }
        proving = nil
        slots[index] = nil
        if !isSame { startOver() }
        advance()
    }

    /// From the first segment on, also where later ones are there or on their way: they would be in the way of memory.
    private func startOver() {
        for slot in slots.values { slot.fetch?.cancel() }
        slots = [:]
        failed = nil
        next = 0
        progress = SegmentProgress(done: 0, bytes: 0, durations: playlist.durations)
        do {
            try transfer.copy.reset()
            _ = try transfer.copy.begin(kind: .hls, total: nil, validator: nil)
        } catch { transfer.fail(error) }
    }

    private func mayFetchAgain(_ index: Int) -> Bool {
        let damages = (slots[index]?.damages ?? 0) + 1
        slots[index]?.damages = damages
        return damages <= Self.mostDamages
    }

    private func give(up index: Int, _ failure: Failure) {
        slots[index] = nil
        var failure = failure
        if failure.code == .expiredLocation {
            failure.message = "Part \(index + 1) of \(playlist.segments.count) cannot be had: \(failure.message)"
        }
        if failed.map({ index < $0.index }) ?? true { failed = (index, failure) }
        advance()
    }

    private func advance() {
        guard !transfer.isOver else { return }
        do { try goOn() } catch { transfer.fail(error) }
    }
}
