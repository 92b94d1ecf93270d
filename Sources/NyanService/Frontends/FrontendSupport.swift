import NyanCore
import NyanDBus
import NyanWire

extension Answer {
    /// Answers later with what `work` gives; a `Failure` becomes our D-Bus error.
    static func working(_ work: @escaping @MainActor () async throws(Failure) -> [BusValue]) -> Answer {
        .later { () async throws(BusError) in
            do throws(Failure) {
                return try await work()
            } catch {
                throw FailureCoding.busError(error)
            }
        }
    }

    /// The same for a listing, which is written without a value per field.
    static func listing(_ work: @escaping @MainActor () async throws(Failure) -> [ListedTrack]) -> Answer {
        .laterWritten { () async throws(BusError) in
            do throws(Failure) {
                let tracks = try await work()
                return { (writer: inout MessageWriter) throws(BusError) in try TrackCoding.write(tracks, to: &writer) }
            } catch {
                throw FailureCoding.busError(error)
            }
        }
    }

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
