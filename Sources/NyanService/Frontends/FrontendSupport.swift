import NyanCore
import NyanDBus
import NyanWire

extension Answer {
    /// Answers later with what `work` gives; a `Failure` becomes our D-Bus error. Work that has to wait for a person's
    /// answer to VK is answered with that at once, and goes on behind it (`Operation`).
    /// `words` are what the person who answered VK is told of the outcome.
    static func working(
        words: @escaping ([BusValue]) -> String = Operation.done,
        _ work: @escaping @MainActor () async throws(Failure) -> [BusValue]
    ) -> Answer {
        .later { () async throws(BusError) in
            try await Operation.begin(words: words, work).told()
        }
    }

    /// The same for a listing, which is written without a value per field: by `write`, or as structs.
    static func listing(
        _ work: @escaping @MainActor () async throws(Failure) -> [ListedTrack],
        write: @escaping @MainActor ([ListedTrack], inout MessageWriter) throws(BusError) -> Void = {
            (tracks, writer) throws(BusError) in try TrackCoding.write(tracks, to: &writer)
        }
    ) -> Answer {
        .laterWritten { () async throws(BusError) in
            let found = Found()
            let operation = Operation.begin(words: Operation.done) { () async throws(Failure) in
                found.tracks = try await work()
                return []
            }
            switch await operation.next() {
            case .ended(.success):
                let tracks = found.tracks
                return { (writer: inout MessageWriter) throws(BusError) in try write(tracks, &writer) }
            case .ended(.failure(let failure)), .parked(let failure): throw FailureCoding.busError(failure)
            case .late: throw .failed("nothing was answered")
            }
        }
    }

    /// What a listing found, on its way out of its operation.
    private final class Found { var tracks: [ListedTrack] = [] }

    /// Carries out `work` now; a `Failure` becomes our D-Bus error.
    static func doing(_ work: () throws(Failure) -> [BusValue]) throws(BusError) -> Answer {
        do throws(Failure) {
            return .reply(try work())
        } catch {
            throw FailureCoding.busError(error)
        }
    }

    /// Carries out `work` now and answers once `saved` returns: what is acknowledged is on disk, and what could not be
    /// kept is answered as that failure.
    static func durable(
        _ work: () throws(Failure) -> [BusValue], saved: @escaping @MainActor () async throws(Failure) -> Void
    ) throws(BusError) -> Answer {
        let values: [BusValue]
        do throws(Failure) {
            values = try work()
        } catch {
            throw FailureCoding.busError(error)
        }
        return .working { () throws(Failure) in
            try await saved()
            return values
        }
    }
}

extension Operation {
    /// What whoever asked for it is answered, once it is over or waits for a person.
    func told() async throws(BusError) -> [BusValue] {
        switch await next() {
        case .ended(.success(let values)): return values
        case .ended(.failure(let failure)), .parked(let failure): throw FailureCoding.busError(failure)
        case .late: throw .failed("nothing was answered")
        }
    }
}

extension BusValue {
    /// The references of an `as`.
    /// - Throws: `.badArgument` naming the first text that is none.
    func trackReferences() throws(Failure) -> [TrackReference] {
        var references: [TrackReference] = []
        for text in strings ?? [] {
            guard let reference = TrackReference(text) else {
                throw Failure(.badArgument, "“\(text.prefix(80))” is no track id such as 123456_456239321")
            }
            references.append(reference)
        }
        return references
    }
}
