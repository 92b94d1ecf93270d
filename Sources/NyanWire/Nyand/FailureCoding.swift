public import NyanCore
public import NyanDBus

/// Failures as D-Bus errors: `org.nyantunes.Nyand1.Error.` and the code (CONTRACT.md §4).
public enum FailureCoding {
    private nonisolated static let prefix = "org.nyantunes.Nyand1.Error."

    public nonisolated static func busError(_ failure: Failure) -> BusError {
        BusError(name: prefix + failure.code.busName, message: failure.message)
    }

    /// The failure an error of our daemon stands for; nil for any other error. A code that only a newer daemon knows
    /// is `.internal`: its sentence is worth more than silence.
    public nonisolated static func failure(_ error: BusError) -> Failure? {
        guard error.name.hasPrefix(prefix) else { return nil }
        return Failure(Failure.Code(busName: error.name.dropFirst(prefix.count)) ?? .internal, error.message)
    }
}
