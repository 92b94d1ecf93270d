import CDBus
@testable import NyanCore
@testable import NyanDBus
@testable import NyanNet
@testable import NyanVK
@testable import NyanWire

extension Fuzz {
    /// Readers of what VK, media servers and peers on the bus send.
    static let network: [String: Target] = [
        "tracks": { bytes in
            guard case .response(let list)? = Answer<VKAudioList>.read(bytes) else { return }
            hold(list.count ?? 0 >= 0, "a count is none or more")
            for audio in list.audios {
                let title = TitleText.shown(Entities.decode(audio.title))
                hold(!title.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "a title has no controls")
            }
        },
        "playlists": { bytes in
            _ = Answer<LenientArray<VKPlaylist>>.read(bytes)
            _ = Answer<VKLyrics>.read(bytes)
        },
        "headers": { bytes in
            var lines = HeaderLines()
            for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
                Array(line).withUnsafeBytes { lines.take($0) }
            }
            if let range = ContentRange(lines.fields["content-range"] ?? text(bytes)) { _ = range }
        },
        "sheet": { bytes in
            guard let tracks = TrackSheet.tracks(bytes) else { return }
            hold(TrackSheet.tracks(TrackSheet.bytes(tracks))?.count == tracks.count, "a sheet reads back")
        },
        "message": { bytes in
            var error = DBusError()
            dbus_error_init(&error)
            let raw = bytes.withUnsafeBytes {
                dbus_message_demarshal($0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), &error)
            }
            dbus_error_free(&error)
            guard let raw else { return }
            // libFuzzer calls on the main thread, which is the main actor's.
            MainActor.assumeIsolated {
                let message = Message(owning: raw)
                guard let values = try? message.values() else { return }
                for value in values { _ = value.signatureOfValue }
            }
        },
    ]
}
