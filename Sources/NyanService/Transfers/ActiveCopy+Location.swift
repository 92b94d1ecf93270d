import NyanCore

// Where the bytes of VK's tracks are: asked for alone for what is to sound, else together with other downloads'.
extension ActiveCopy {
    /// The location in use.
    struct Origin {
        /// When it was asked for, if that was before it was wanted.
        var askedAt: Duration?
        var host: String?
        /// It is being asked for together with others'.
        var isAtDesk = false
    }

    var isForDownloadOnly: Bool { claims.allSatisfy { $0.purpose == .download } }

    /// What VK says of this track now, or said a short time ago.
    func ask() async throws(Failure) -> LocationDesk.Answer {
        origin.askedAt = nil
        guard isForDownloadOnly else {
            let (source, reference) = (services.source, track.reference)
            let found = try await Operation.outlasting { () async throws(Failure) in
                try await source.resolve([reference])
            }
            return LocationDesk.Answer(found: found[track.id])
        }
        origin.isAtDesk = true
        defer {
            // Cancelled: whatever runs now is another attempt.
            if !Task.isCancelled { origin.isAtDesk = false }
        }
        let answer = try await services.desk.location(of: track.reference, fresh: triedFresh)
        if !Task.isCancelled { origin.askedAt = answer.askedAt }
        return answer
    }

    /// The attempt is over before its location came.
    func leaveDesk() {
        guard origin.isAtDesk else { return }
        origin.isAtDesk = false
        services.desk.leave(track.id)
    }

    /// Why the location's host must not be asked now; what is to sound asks all the same.
    var hostRefusal: Failure? {
        guard isForDownloadOnly, let host = origin.host else { return nil }
        return services.refusal(host)
    }

    /// The pause a host asks for is known by the host that would be asked next, wherever it sent us on to; what is kept
    /// of a host that fails is not used.
    func noteHost(_ failure: inout Failure) {
        guard let host = origin.host else { return }
        if failure.host != nil { failure.host = host }
        services.desk.failed(host)
        if failure.code == .expiredLocation, let askedAt = origin.askedAt { services.desk.expired(askedAt: askedAt) }
    }
}
