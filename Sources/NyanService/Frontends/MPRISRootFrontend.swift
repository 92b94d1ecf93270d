public import NyanDBus
import NyanWire

/// `org.mpris.MediaPlayer2`: who we are, and Quit (mpris.md §3).
public final class MPRISRootFrontend: InterfaceHandler {
    private let quit: () -> Void

    /// `quit` is called after the reply to Quit is on its way.
    public init(quit: @escaping () -> Void) { self.quit = quit }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        if member == "Quit" {
            context.reply()
            quit()
            return .taken
        }
        // Raise: there is no window, and CanRaise says so.
        return .done
    }

    public func get(_ property: String) -> BusValue? {
        switch property {
        case "CanQuit": .bool(true)
        case "CanRaise", "HasTrackList": .bool(false)
        case "Identity": .string(Names.identity)
        case "DesktopEntry": .string(Names.desktopEntry)
        case "SupportedUriSchemes", "SupportedMimeTypes": .strings([])
        default: nil
        }
    }
}
