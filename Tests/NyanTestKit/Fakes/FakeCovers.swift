public import NyanCore
import Synchronization

/// Keeps pictures nowhere; unless told otherwise, its paths name a file that exists.
public nonisolated final class FakeCovers: CoverCache {
    private struct State {
        var stored = 0
        var byAddress: [String: String] = [:]
        var inFiles: [String: String] = [:]
        var used: [String] = []
        var refusal: Failure?
        var path = "/dev/null"
        var left: Set<String>?
        var whileShrinking: @Sendable () async -> Void = {}
        var kept: Set<String> = []
    }

    private let state = Mutex(State())

    public init() {}

    public var stored: Int { state.withLock { $0.stored } }
    public var used: [String] { state.withLock { $0.used } }
    /// What the last `shrink` was to leave alone.
    public var kept: Set<String> { state.withLock { $0.kept } }
    /// Where the next picture is.
    public func put(at path: String) { state.withLock { $0.path = path } }
    /// A sound file has this picture in it.
    public func put(_ path: String, in file: String) { state.withLock { $0.inFiles[file] = path } }
    /// What `shrink` leaves; nil = the folder cannot be read.
    public func leave(_ left: Set<String>?) { state.withLock { $0.left = left } }
    /// What happens while `shrink` is at work, after it saw what is there.
    public func whileShrinking(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { $0.whileShrinking = work }
    }
    /// The next pictures are none; nil = they are.
    public func refuse(_ failure: Failure?) { state.withLock { $0.refusal = failure } }

    public func store(_ bytes: [UInt8]) async throws(Failure) -> String {
        try state.withLock { state throws(Failure) in
            if let refusal = state.refusal { throw refusal }
            state.stored += 1
            state.left?.insert(state.path)
            return state.path
        }
    }

    public func store(_ bytes: [UInt8], from address: String) async throws(Failure) -> String {
        let path = try await store(bytes)
        state.withLock { $0.byAddress[address] = path }
        return path
    }

    public func picture(from address: String) async -> String? { state.withLock { $0.byAddress[address] } }
    public func embedded(in file: String, beside: Bool) async -> String? { state.withLock { $0.inFiles[file] } }
    public func use(_ path: String) async { state.withLock { $0.used.append(path) } }
    public func prune(keeping: Set<String>) async {}

    public func isThere(_ path: String) -> Bool { state.withLock { $0.left?.contains(path) ?? true } }

    public func shrink(keeping: Set<String>) async -> Bool {
        let (isKnown, work) = state.withLock { state in
            state.kept = keeping
            return (state.left != nil, state.whileShrinking)
        }
        await work()
        return isKnown
    }
}
