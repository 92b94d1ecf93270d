import NyanCore

/// What is to be done with the answer to a (ranged) request for a sound file: a decision, no I/O.
///
/// The rule behind all cases: bytes of two versions of a file never meet in one copy (field-issues.md C1–C4, decision
/// 0018). Only what the answer itself says proves anything: servers exist that ignore `If-Range`.
nonisolated enum RangeAnswer: Equatable {
    /// Bytes from `first` on, none at or behind `end`, belong to the copy as it is, or to a new one where nothing is there.
    case take(first: Int64, end: Int64?, total: Int64?, validator: Validator)
    /// The whole file from its start, and it is another one than the copy was begun with.
    case takeAnew(end: Int64?, total: Int64?, validator: Validator)
    /// The whole file from its start, and nothing tells whether it is the same: every byte that is there must be equal.
    case compare(total: Int64?)
    /// The server has another file: throw away what is there and ask again.
    case restart
    /// This answer is of no use, what is there may well be: ask for the whole file, without a range.
    case askWhole
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

    /// The last place in the file that it names; 0 where it names none.
    private var farthest: Int64 {
        switch self {
        case .take(let first, let end, let total, _): max(first, end ?? 0, total ?? 0)
        case .takeAnew(let end, let total, _): max(end ?? 0, total ?? 0)
        case .compare(let total): total ?? 0
        case .complete(let total): total
        case .restart, .askWhole, .fail: 0
        }
    }

    /// Where no byte of a sound can belong: what says so means to have a file of that length made, or sums that overflow.
    private static let behindAll: Int64 = 64 << 30

    static func judge(_ head: ResponseHead, asked: Asked) -> Self {
        let answer = meaning(of: head, asked)
        return answer.farthest < behindAll ? answer : .fail(NetworkFailure.tooLong(host: head.host))
    }

    private static func meaning(of head: ResponseHead, _ asked: Asked) -> Self {
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
        // A multipart answer has no Content-Range; a part of a packed file cannot be unpacked.
        guard let range = ContentRange(head.headers["content-range"]), let bytes = range.bytes,
            let wanted = asked.first, bytes.lowerBound == wanted, !isPacked(head)
        else { return .askWhole }
        let (news, end) = (validator(of: head), bytes.upperBound + 1)
        guard asked.received > 0 else { return .take(first: wanted, end: end, total: range.total, validator: news) }
        let isSameSize = range.total == nil || asked.size == nil || range.total == asked.size
        switch isSameSize ? agreement(asked.validator, news) : false {
        case true:
            // The copy's own words go on: a 206 need not repeat all of them.
            return .take(
                first: wanted, end: end, total: range.total ?? asked.size, validator: asked.validator ?? Validator())
        case false: return wanted == 0 ? .takeAnew(end: end, total: range.total, validator: news) : .restart
        case nil: return .askWhole
        }
    }

    private static func whole(_ head: ResponseHead, _ asked: Asked) -> Self {
        // Content-Length and tag of a packed answer are the packed bytes'.
        let total = isPacked(head) ? nil : head.headers["content-length"].flatMap { Int64($0) }
        let news = isPacked(head) ? Validator() : validator(of: head)
        guard asked.received > 0 else { return .take(first: 0, end: total, total: total, validator: news) }
        let isSameSize = total == nil || asked.size == nil || total == asked.size
        switch isSameSize ? agreement(asked.validator, news) : false {
        case true:
            let size = total ?? asked.size
            return .take(first: 0, end: size, total: size, validator: asked.validator ?? Validator())
        case false: return .takeAnew(end: total, total: total, validator: news)
        case nil: return .compare(total: total)
        }
    }

    private static func unsatisfiable(_ head: ResponseHead, _ asked: Asked) -> Self {
        let total = ContentRange(head.headers["content-range"])?.total
        if total == 0 || asked.first == nil || asked.first == 0 { return .fail(expired(head)) }
        guard let total else { return .askWhole }
        // Of another length than ours: another file.
        guard total == asked.size ?? asked.received else { return .restart }
        switch agreement(asked.validator, validator(of: head)) {
        case true where asked.fromStart == total: return .complete(total: total)
        case false: return .restart
        default: return .askWhole
        }
    }

    private static func isPacked(_ head: ResponseHead) -> Bool {
        guard let encoding = head.headers["content-encoding"]?.lowercased() else { return false }
        return !encoding.isEmpty && encoding != "identity"
    }

    /// Bytes; it is kept with the copy and sent back with each request.
    private static let longestTag = 1 << 10

    /// Only what identifies the bytes exactly (RFC 9110 §8.8): a weak tag does not, and a date only once it lies a minute
    /// back, as a file may change twice within a second and clocks differ.
    static func validator(of head: ResponseHead) -> Validator {
        let tag = head.headers["etag"].flatMap { $0.hasPrefix("\"") && $0.utf8.count <= longestTag ? $0 : nil }
        let date = head.headers["last-modified"].flatMap { text in
            NetworkFailure.age(of: text, at: head.headers["date"]).flatMap { $0 >= 60 ? text : nil }
        }
        return Validator(etag: tag, lastModified: date)
    }

    /// True: something both name is equal and nothing differs. False: something differs. Nil: nothing to compare.
    private static func agreement(_ old: Validator?, _ new: Validator) -> Bool? {
        let pairs = [(old?.etag, new.etag), (old?.lastModified, new.lastModified)]
        let compared = pairs.compactMap { old, new in old.flatMap { old in new.map { old == $0 } } }
        return compared.isEmpty ? nil : !compared.contains(false)
    }
}

extension Validator {
    /// What a server is asked to compare before it goes on with a part; nil where nothing identifies the bytes.
    nonisolated var proof: String? { etag ?? lastModified }
}
