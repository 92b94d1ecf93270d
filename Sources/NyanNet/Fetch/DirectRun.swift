import NyanCore

/// Fills a copy from one sound file by ranged requests, one at a time.
///
/// Where the next request begins is read from the copy each time: the first gap at or after what the reader wants, else
/// the first gap at all. What an answer means is `RangeAnswer`'s decision.
final class DirectRun {
    /// A reader this close before the transfer is served by waiting; moving costs a new request.
    private static let reach: Int64 = 256 << 10
    /// Starting over so often, or getting nothing new, means the server gives something else every time.
    private static let mostRestarts = 4
    /// An answer that brings less, and not all that was asked for, counts as one that brought nothing: else a server could
    /// have us ask for every single byte.
    private static let leastPart: Int64 = 256 << 10
    private static let sniffed = 512
    private static let longestPlaylist = 4 << 20

    /// Why a handler ended an exchange.
    private enum Verdict {
        case fail(Failure)
        case restart
        case askWhole
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
    private var answer = RangeAnswer.askWhole
    private var isEndAnnounced = true
    /// Nil until the copy has been begun with this answer.
    private var body: AnswerBody?
    private var receivedBefore: Int64 = 0
    /// Behind the range that was asked for; nil = to the end.
    private var askedEnd: Int64?
    /// Where an answer ended without having said so. Another one must end there too before it is believed.
    private var unannouncedEnd: Int64?
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
        // Without proof no later answer may go on where this one broke off (decision 0018).
        let asksRange = rangesWork && copy.kind != .hls && (isFresh || isProvable)
        asked = RangeAnswer.Asked(first: asksRange ? gap.lower : nil)
        askedEnd = asksRange ? gap.upper : nil
        receivedBefore = copy.received
        if !isFresh {
            asked.received = copy.received
            asked.size = copy.size
            asked.fromStart = copy.available(from: 0)
            asked.validator = copy.validator
        }
        begin(headers: rangeHeaders)
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
        if rangesWork, isProvable, verdict == nil {
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
        body = nil
        gathered = []
        isPlaylist = false
        verdict = nil
        exchange = transfer.start(
            url, headers: headers, speedLimit: transfer.speedLimit, onHead: { [self] in judge($0) },
            onBody: { [self] in take($0) }, onEnd: { [self] in ended($0) })
    }

    private var rangeHeaders: [(name: String, value: String)] {
        guard let first = asked.first else { return [] }
        var headers = [("Range", "bytes=\(first)-\(askedEnd.map { String($0 - 1) } ?? "")")]
        if let proof = asked.validator?.proof, asked.received > 0 { headers.append(("If-Range", proof)) }
        return headers
    }

    /// Whether a later request can be known to go on with the same file.
    private var isProvable: Bool { copy.validator?.proof != nil }

    // Inside libcurl: judge, take, classify, beginCopy, write only look and keep.

    private func judge(_ head: ResponseHead) -> Bool {
        answer = RangeAnswer.judge(head, asked: asked)
        // Radio has no end to be sure of.
        isEndAnnounced = head.isEndAnnounced || head.headers.keys.contains { $0.hasPrefix("icy-") }
        if head.status == 200 {
            let wasIgnored: Bool
            if case .take = answer { wasIgnored = (asked.first ?? 0) > 0 } else { wasIgnored = false }
            rangesWork = rangesWork && !wasIgnored && head.headers["accept-ranges"]?.lowercased() == "bytes"
        }
        switch answer {
        case .take(let first, _, _, _): return first == 0 || beginCopy()
        case .takeAnew, .compare: return true
        case .restart: verdict = .restart
        case .askWhole: verdict = .askWhole
        case .complete(let total): verdict = .complete(total: total)
        case .fail(let failure): verdict = .fail(failure)
        }
        return false
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if body != nil { return write(bytes) }
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
            switch answer {
            case .take(let first, let end, let total, let validator):
                let wasKept = try copy.begin(kind: .direct, total: total, validator: validator)
                if !wasKept, first > 0 { verdict = .restart }
                body = AnswerBody(position: first, end: end, isComparing: false)
            case .takeAnew(let end, let total, let validator):
                try copy.reset()
                _ = try copy.begin(kind: .direct, total: total, validator: validator)
                body = AnswerBody(position: 0, end: end, isComparing: false)
            case .compare(let total):
                body = AnswerBody(position: 0, end: total, isComparing: true)
            default: verdict = .askWhole
            }
        } catch {
            verdict = .fail(error)
        }
        return verdict == nil
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard var part = body else { return false }
        let mine = exchange
        let problem = part.put(bytes, into: copy)
        // Whoever heard of the bytes may have asked for others: then this answer is over.
        guard exchange === mine else { return false }
        body = part
        switch problem {
        case .differs: verdict = .restart
        case .failed(let failure): verdict = .fail(failure)
        case nil:
            transfer.progressed()
            if isAway { verdict = .move }
        }
        return verdict == nil
    }

    /// Whether the reader is hungry somewhere this request will not soon come to.
    private var isAway: Bool {
        guard rangesWork, isProvable, let position = body?.position, copy.available(from: wanted) < Self.reach,
            let gap = copy.missing(from: wanted), gap.lower >= wanted
        else { return false }
        return gap.lower < position || gap.lower > position + Self.reach
    }

    private var expired: Failure {
        Failure(.expiredLocation, "\(transfer.host) no longer gives this track.")
    }

    // Outside of libcurl again.

    private func ended(_ end: Exchange.End) {
        switch end {
        case .failed(let failure): transfer.fail(failure)
        case .stopped: act()
        case .complete(let head):
            if body == nil, !isPlaylist, !classify() { return act() }
            exchange = nil
            if isPlaylist { return transfer.turn(toPlaylist: gathered, url: head.url) }
            if verdict != nil { return act() }
            if head.status == 206 { endOfPart() } else { endOfWhole() }
        }
    }

    private func act() {
        exchange = nil
        switch verdict {
        case .fail(let failure): transfer.fail(failure)
        case .complete(let total): finish(total: total)
        case .move: next()
        case .restart: again { () throws(Failure) in try copy.reset() }
        case .askWhole: again { rangesWork = false }
        case nil:
            // Only a playlist without an end stops without a verdict.
            transfer.fail(Failure(.badAnswer, "The playlist is too long."))
        }
    }

    private func endOfPart() {
        guard let position = body?.position else { return }
        let isAll = askedEnd.map { position >= $0 } ?? false
        if isAll || copy.isComplete || copy.received - receivedBefore >= Self.leastPart { return next() }
        again {}
    }

    /// The file ends here, if this was its end.
    private func endOfWhole() {
        guard let end = body?.position else { return }
        if copy.received > end || (copy.size ?? end) > end {
            // More of it is known already: broken off, or another file.
            guard isEndAnnounced else { return transfer.fail(NetworkFailure.tooEarly(host: transfer.host)) }
            verdict = .restart
            return act()
        }
        guard isEndAnnounced || copy.size != nil || unannouncedEnd == end else {
            unannouncedEnd = end
            return again { rangesWork = false }
        }
        finish(total: end)
    }

    private func finish(total: Int64) {
        do {
            try copy.finish(total: total)
        } catch { return transfer.fail(error) }
        if copy.isComplete { transfer.finish() } else { again {} }
    }

    /// Asks once more, after `change`; not for ever.
    private func again(_ change: () throws(Failure) -> Void) {
        do {
            try change()
        } catch { return transfer.fail(error) }
        restarts += 1
        guard restarts <= Self.mostRestarts else {
            return transfer.fail(
                Failure(.badAnswer, "\(transfer.host) gives something else every time.", retry: .later))
        }
        next()
    }
}
