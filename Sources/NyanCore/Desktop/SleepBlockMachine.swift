/// Decides when the machine is kept from sleeping (`desktop.inhibit-sleep`): while something is to be heard.
///
/// A value without I/O. One request is under way at most; what was refused is asked again at the next play, or of a logind
/// that is new.
public struct SleepBlockMachine: Sendable {
    public enum Input: Sendable, Equatable {
        /// Whether something is to be heard, and the person wants the machine awake for it.
        case wants(Bool)
        /// Answers to `.ask`.
        case granted
        case refused
        /// A logind that is new knows nothing of us.
        case renewed
        /// The system bus is gone, and with it whoever could be asked.
        case lost
    }

    public enum Effect: Sendable, Equatable {
        case ask
        case release
        /// To be told once: sleep cannot be held off.
        case complain
    }

    private var wants = false
    private var isHeld = false
    private var isAsking = false
    private var hasComplained = false

    public init() {}

    public mutating func handle(_ input: Input) -> [Effect] {
        switch input {
        case .wants(let fresh):
            guard fresh != wants else { return [] }
            wants = fresh
            return fresh ? ask() : release()
        case .granted:
            isAsking = false
            isHeld = true
            hasComplained = false
            // Paused before the answer came.
            return wants ? [] : release()
        case .refused:
            guard isAsking else { return [] }
            isAsking = false
            return complain()
        case .renewed:
            guard wants, !isAsking else { return [] }
            return release() + ask()
        case .lost:
            isAsking = false
            return release() + complain()
        }
    }

    private mutating func ask() -> [Effect] {
        guard !isHeld, !isAsking else { return [] }
        isAsking = true
        return [.ask]
    }

    private mutating func release() -> [Effect] {
        guard isHeld else { return [] }
        isHeld = false
        return [.release]
    }

    private mutating func complain() -> [Effect] {
        guard wants, !hasComplained else { return [] }
        hasComplained = true
        return [.complain]
    }
}
