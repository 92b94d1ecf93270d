import NyanCore
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

    /// What GStreamer's base and good plugins decode, by the names that desktops use.
    private static let mimeTypes = [
        "audio/mpeg", "audio/flac", "audio/x-flac", "audio/ogg", "audio/vorbis", "audio/opus", "audio/x-vorbis+ogg",
        "audio/x-opus+ogg", "audio/wav", "audio/x-wav", "audio/vnd.wave", "audio/mp4", "audio/x-m4a", "audio/aac",
        "audio/aiff", "audio/x-aiff", "audio/x-wavpack", "audio/webm",
    ]

    public func get(_ property: String) -> BusValue? {
        switch property {
        case "CanQuit", "HasTrackList": .bool(true)
        case "CanRaise": .bool(false)
        case "Identity": .string(Names.identity)
        case "DesktopEntry": .string(Names.desktopEntry)
        case "SupportedUriSchemes": .strings(SoundAddress.Scheme.allCases.map(\.rawValue))
        case "SupportedMimeTypes": .strings(Self.mimeTypes)
        default: nil
        }
    }
}
