import NyanCore

/// What is to be done with the answer to a (ranged) request for a sound file: a decision, no I/O.
///
/// The rule behind all cases: bytes of two versions of a file never meet in one copy (field-issues.md C1–C4).
nonisolated enum RangeAnswer: Equatable {
    /// Bytes from `first` on belong to the copy as it is, or to a new one if `total` or `validator` differ from it.
    case take(first: Int64, total: Int64?, validator: Validator)
    /// The whole file from its start, and nothing proves that it is the one the copy was begun with.
    case takeAnew(total: Int64?, validator: Validator)
    /// What is there is of no use with this server: throw it away and ask again.
    case restart(withRanges: Bool)
    /// The server says that nothing is missing.
    case complete(total: Int64)
    case fail(Failure)

    /// What was asked for, and what the copy holds.
    struct Asked: Equatable {
        /// The Range's first byte; nil when no range was asked for.
        var first: Int64?
        var received: Int64 = 0
        var size: Int64?
        /// Bytes without a gap from the start.
        var fromStart: Int64 = 0
        var validator: Validator?
    }

    static func judge(_ head: ResponseHead, asked: Asked) -> Self {
        if let failure = NetworkFailure.of(mediaStatus: head.status, headers: head.headers, host: head.host) {
            return .fail(failure)
        }
        // VK sends an expired address to an error page that answers 200 (vk-api.md §4.5).
        if let path = WebAddress(head.url.revealed)?.path, path.contains("/err404") {
            return .fail(expired(head))
        }
        switch head.status {
        case 206: return partial(head, asked)
        case 416: return unsatisfiable(head, asked)
        default: return whole(head, asked)
        }
    }

    static func expired(_ head: ResponseHead) -> Failure {
        Failure(.expiredLocation, "\(head.host) no longer gives this track.")
    }

    private static func partial(_ head: ResponseHead, _ asked: Asked) -> Self {
        guard let range = ContentRange(head.headers["content-range"]), let bytes = range.bytes,
            let wanted = asked.first, bytes.lowerBound == wanted
        else { return .restart(withRanges: false) }
        let news = validator(of: head)
        guard asked.received > 0 else { return .take(first: wanted, total: range.total, validator: news) }
        let isSameSize = range.total == nil || asked.size == nil || range.total == asked.size
        let agrees = agreement(asked.validator, news)
        if isSameSize, agrees != false {
            // The copy's own words go on: a 206 need not repeat them.
            return .take(first: wanted, total: range.total ?? asked.size, validator: asked.validator ?? Validator())
        }
        return wanted == 0
            ? .takeAnew(total: range.total, validator: news) : .restart(withRanges: true)
    }

    private static func whole(_ head: ResponseHead, _ asked: Asked) -> Self {
        let total = head.headers["content-length"].flatMap { Int64($0) }
        let news = validator(of: head)
        guard asked.received > 0 else { return .take(first: 0, total: total, validator: news) }
        guard agreement(asked.validator, news) == true, total == nil || asked.size == nil || total == asked.size
        else { return .takeAnew(total: total, validator: news) }
        return .take(first: 0, total: total ?? asked.size, validator: asked.validator ?? Validator())
    }

    private static func unsatisfiable(_ head: ResponseHead, _ asked: Asked) -> Self {
        let total = ContentRange(head.headers["content-range"])?.total
        if total == 0 || asked.first == nil || asked.first == 0 { return .fail(expired(head)) }
        let isWhole = asked.fromStart == asked.received && (asked.size == nil || asked.size == asked.received)
        if isWhole, total == nil || total == asked.received { return .complete(total: asked.received) }
        return .restart(withRanges: true)
    }

    /// Only what identifies the bytes exactly: a weak tag does not.
    static func validator(of head: ResponseHead) -> Validator {
        let tag = head.headers["etag"].flatMap { $0.hasPrefix("\"") ? $0 : nil }
        return Validator(etag: tag, lastModified: head.headers["last-modified"])
    }

    /// True: something both name is equal and nothing differs. False: something differs. Nil: nothing to compare.
    private static func agreement(_ old: Validator?, _ new: Validator) -> Bool? {
        let pairs = [(old?.etag, new.etag), (old?.lastModified, new.lastModified)]
        let compared = pairs.compactMap { old, new in old.flatMap { old in new.map { old == $0 } } }
        return compared.isEmpty ? nil : !compared.contains(false)
    }
}
