import Glibc

/// The session of whoever runs the tests. A program without any address of a bus would find it (`BusAddress.session`), and
/// no test may.
public enum OwnSession {
    /// Whether it has a bus where one is looked for last.
    public nonisolated static var isThere: Bool { access("/run/user/\(geteuid())/bus", F_OK) == 0 }
}
