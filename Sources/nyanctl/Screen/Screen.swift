/// The terminal as `nyanctl ui` needs it: a place to paint frames on, and events in the order they happen.
@MainActor protocol Screen: AnyObject {
    var size: Size { get }
    /// Ends after `.gone`.
    var events: AsyncStream<ScreenEvent> { get }
    /// Shows a frame whole; only what changed is written. What does not fit is cut.
    func paint(_ frame: Frame)
    /// Gives the terminal back as it was found. May be called twice.
    func close()
    /// The exit status `.gone` asks for: 128 and the signal's number; SIGHUP's where the terminal went away.
    var goneStatus: Int32 { get }
}

extension Screen {
    var goneStatus: Int32 { 0 }
}
