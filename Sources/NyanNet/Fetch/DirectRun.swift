import NyanCore

/// Fills a copy from one sound file by ranged requests, one at a time.
///
/// Where the next request begins is read from the copy each time: the first gap at or after what the reader wants, else
/// the first gap at all. What an answer means is `RangeAnswer`'s decision.
final class DirectRun {
    /// A reader this close before the transfer is served by waiting; moving costs a new request.
    private static let reach: Int64 = 256 << 10
    /// Starting over so often means the server gives something else every time.
    private static let mostRestarts = 4
    private static let sniffed = 512
    private static let longestPlaylist = 4 << 20

    /// Why a handler ended an exchange.
    private enum Verdict {
        case fail(Failure)
        case restart(withRanges: Bool)
        case complete(total: Int64)
        case move
    }

    private let transfer: CurlTransfer
    private let url: Secret
    private var wanted: Int64
    private var rangesWork = true
    private var restarts = 0

    // The request going on.
    private var exchange: Exchange?
    private var asked = RangeAnswer.Asked()
    private var promise: (total: Int64?, validator: Validator, anew: Bool) = (nil, Validator(), false)
    /// Where the next body byte belongs; nil until the copy has been begun with this answer.
    private var position: Int64?
    private var first: Int64 = 0
    /// Body bytes not judged yet, or the playlist they turned out to be.
    private var gathered: [UInt8] = []
    private var isPlaylist = false
    private var verdict: Verdict?

    private var copy: any CopySink { transfer.copy }

    init(_ transfer: CurlTransfer, url: Secret, wanted: Int64) {
        self.transfer = transfer
        self.url = url
        self.wanted = max(0, wanted)
    }

    /// Asks for the next missing bytes, or finishes.
    func next() {
        guard !transfer.isOver else { return }
        if copy.isComplete { return transfer.finish() }
        // Nothing there yet: the file's start shows what it is, wherever the reader wants to begin.
        let isFresh = copy.kind != .direct || copy.received == 0
        var gap: (lower: Int64, upper: Int64?) = (0, nil)
        if !isFresh {
            guard let found = copy.missing(from: wanted) else { return finish(total: copy.size ?? copy.received) }
            gap = found
        }
        asked = RangeAnswer.Asked(first: rangesWork && copy.kind != .hls ? gap.lower : nil)
        if !isFresh {
            asked.received = copy.received
            asked.size = copy.size
            asked.fromStart = copy.available(from: 0)
            asked.validator = copy.validator
        }
        begin(headers: rangeHeaders(upper: gap.upper))
    }

    /// The reader wants bytes from here first; see `Transfer`.
    func prefer(offset: Int64) {
        wanted = max(0, offset)
        guard let exchange, verdict == nil, isAway else { return }
        exchange.cancel()
        self.exchange = nil
        next()
    }

    /// libcurl keeps its buffer and its memory of past bytes for a whole request, so another limit means another
    /// request; without ranges the one going on keeps its limit unless it is lifted.
    func limitChanged() {
        guard let exchange else { return }
        if rangesWork, verdict == nil {
            exchange.cancel()
            self.exchange = nil
            next()
        } else if transfer.speedLimit == nil {
            exchange.liftLimit()
        }
    }

    func cancel() {
        exchange?.cancel()
        exchange = nil
    }

    private func begin(headers: [(name: String, value: String)]) {
        position = nil
        gathered = []
        isPlaylist = false
        verdict = nil
        exchange = transfer.start(
            url, headers: headers, speedLimit: transfer.speedLimit, onHead: { [self] in judge($0) },
            onBody: { [self] in take($0) }, onEnd: { [self] in ended($0) })
    }

    private func rangeHeaders(upper: Int64?) -> [(name: String, value: String)] {
        guard let first = asked.first else { return [] }
        var headers = [("Range", "bytes=\(first)-\(upper.map { String($0 - 1) } ?? "")")]
        if let proof = asked.validator?.etag ?? asked.validator?.lastModified, asked.received > 0 {
            headers.append(("If-Range", proof))
        }
        return headers
    }

    // Inside libcurl: judge, take, classify, beginCopy, write only look and keep.

    private func judge(_ head: ResponseHead) -> Bool {
        let answer = RangeAnswer.judge(head, asked: asked)
        if head.status == 200 {
            let wasIgnored: Bool
            if case .take = answer { wasIgnored = (asked.first ?? 0) > 0 } else { wasIgnored = false }
            rangesWork = rangesWork && !wasIgnored && head.headers["accept-ranges"]?.lowercased() == "bytes"
        }
        switch answer {
        case .take(let first, let total, let validator):
            promise = (total, validator, false)
            self.first = first
        case .takeAnew(let total, let validator):
            promise = (total, validator, true)
            first = 0
        case .restart(let withRanges): verdict = .restart(withRanges: withRanges)
        case .complete(let total): verdict = .complete(total: total)
        case .fail(let failure): verdict = .fail(failure)
        }
        guard verdict == nil else { return false }
        return first == 0 || beginCopy()
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if position != nil { return write(bytes) }
        gathered.append(contentsOf: bytes)
        if isPlaylist { return gathered.count <= Self.longestPlaylist }
        return gathered.count < Self.sniffed || classify()
    }

    /// Judges the start of a file by its content; false when it is no sound.
    private func classify() -> Bool {
        switch SoundSniff.kind(of: gathered) {
        case .hls:
            isPlaylist = true
            return true
        case .html, .json:
            verdict = .fail(expired)
            return false
        default:
            guard !gathered.isEmpty else {
                verdict = .fail(expired)
                return false
            }
            return beginCopy() && gathered.withUnsafeBytes { write($0) }
        }
    }

    private func beginCopy() -> Bool {
        do {
            if promise.anew { try copy.reset() }
            let wasKept = try copy.begin(kind: .direct, total: promise.total, validator: promise.validator)
            position = first
            if !wasKept, first > 0 { verdict = .restart(withRanges: true) }
        } catch {
            verdict = .fail(error)
        }
        return verdict == nil
    }

    /// Writes what is not there yet. A server that ignores ranges sends everything again.
    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard var at = position else { return false }
        var rest = bytes[...]
        if let total = copy.size, at + Int64(bytes.count) > total {
            verdict = .fail(Failure(.badAnswer, "The server sent more than it announced.", retry: .later))
            return false
        }
        while !rest.isEmpty {
            let there = min(Int64(rest.count), copy.available(from: at))
            at += there
            rest = rest.dropFirst(Int(there))
            guard there == 0 else { continue }
            do {
                try copy.write(UnsafeRawBufferPointer(rebasing: rest), at: at)
            } catch {
                verdict = .fail(error)
                return false
            }
            at += Int64(rest.count)
            rest = rest.suffix(0)
        }
        position = at
        transfer.progressed()
        if isAway { verdict = .move }
        return verdict == nil
    }

    /// Whether the reader is hungry somewhere this request will not soon come to.
    private var isAway: Bool {
        guard rangesWork, let position, copy.available(from: wanted) < Self.reach,
            let gap = copy.missing(from: wanted), gap.lower >= wanted
        else { return false }
        return gap.lower < position || gap.lower > position + Self.reach
    }

    private var expired: Failure {
        Failure(.expiredLocation, "\(exchange?.host ?? "The server") no longer gives this track.")
    }

    // Outside of libcurl again.

    private func ended(_ end: Exchange.End) {
        switch end {
        case .failed(let failure): transfer.fail(failure)
        case .stopped: act()
        case .complete(let head):
            if position == nil, !isPlaylist, !classify() { return act() }
            exchange = nil
            if isPlaylist { return transfer.turn(toPlaylist: gathered, url: head.url) }
            goOn()
        }
    }

    private func act() {
        exchange = nil
        switch verdict {
        case .fail(let failure): transfer.fail(failure)
        case .complete(let total): finish(total: total)
        case .move: next()
        case .restart(let withRanges):
            rangesWork = rangesWork && withRanges
            do {
                try copy.reset()
                try countRestart()
                next()
            } catch { transfer.fail(error) }
        case nil:
            // Only a playlist without an end stops without a verdict.
            transfer.fail(Failure(.badAnswer, "The playlist is too long."))
        }
    }

    private func goOn() {
        guard let position else { return }
        if copy.size == nil { return finish(total: position) }
        if verdict != nil { return act() }
        do {
            if position == first { try countRestart() }
            next()
        } catch { transfer.fail(error) }
    }

    private func finish(total: Int64) {
        do {
            try copy.finish(total: total)
            if copy.isComplete { return transfer.finish() }
            try countRestart()
            next()
        } catch { transfer.fail(error) }
    }

    private func countRestart() throws(Failure) {
        restarts += 1
        guard restarts <= Self.mostRestarts else {
            throw Failure(.badAnswer, "The server gives another file every time.", retry: .later)
        }
    }
}
