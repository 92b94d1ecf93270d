@testable import NyanCore
@testable import NyanNet

extension Fuzz {
    /// Readers of what servers of media, and whatever answers in their place, send.
    static let network: [String: Target] = [
        "headers": { bytes in
            var lines = HeaderLines()
            for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
                Array(line).withUnsafeBytes { lines.take($0) }
            }
            for asked in [
                RangeAnswer.Asked(first: 0), RangeAnswer.Asked(first: 100, received: 100, size: 1000, fromStart: 100),
            ] {
                for status in [200, 206, 416, lines.status] {
                    let head = ResponseHead(
                        status: status, headers: lines.fields, url: Secret("https://a.example/b"), host: "a.example")
                    look(RangeAnswer.judge(head, asked: asked))
                }
            }
            if let range = ContentRange(lines.fields["content-range"] ?? text(bytes)), let bytes = range.bytes {
                hold(bytes.lowerBound >= 0 && bytes.upperBound < range.total ?? .max, "a range is in its whole")
            }
            let raw = lines.fields["retry-after"] ?? text(bytes)
            if let wait = NetworkFailure.retryAfter(raw, now: 0) {
                hold(wait >= 0 && wait.isFinite, "a wait is a length")
            }
            if let age = NetworkFailure.age(of: raw, at: raw) { hold(age == 0, "a date is as old as itself") }
        },
        "web": { bytes in
            let raw = text(bytes)
            guard let address = WebAddress(raw) else { return }
            hold(["http", "https"].contains(address.scheme) && !address.host.isEmpty, "it is the web's")
            // A number is an address to libcurl, and a name to us, which is nobody's.
            if let shown = PageAddress.host(of: raw), PageAddress.isVKs(shown) {
                hold(shown == address.host, "what is shown and what is asked are one host: \(shown), \(address.host)")
            }
        },
    ]

    private static func look(_ judged: RangeAnswer) {
        switch judged {
        case .take(let first, let end, let total, _):
            hold(first >= 0 && end.map { $0 >= first } ?? true && total ?? 0 >= 0, "what is taken is a range")
        case .takeAnew(let end, let total, _): hold(end ?? 0 >= 0 && total ?? 0 >= 0, "what is taken is a range")
        case .complete(let total): hold(total >= 0, "a whole has a length")
        case .compare(let total): hold(total ?? 0 >= 0, "a whole has a length")
        case .fail(let failure): hold(isTame(failure.message), "a failure is a line")
        case .restart, .askWhole: break
        }
    }
}
