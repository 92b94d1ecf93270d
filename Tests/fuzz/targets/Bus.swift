import CDBus
@testable import NyanCore
@testable import NyanDBus
@testable import NyanService
@testable import NyanWire

extension Fuzz {
    /// Readers of what peers on the bus send.
    static let bus: [String: Target] = [
        "message": { bytes in
            var error = DBusError()
            dbus_error_init(&error)
            let raw = bytes.withUnsafeBytes {
                dbus_message_demarshal($0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), &error)
            }
            dbus_error_free(&error)
            guard let raw else { return }
            let message = Message(owning: raw)
            // What a tree looks at before anything is called.
            _ = (message.kind, message.path, message.interface, message.member, message.sender, message.error)
            _ = ObjectPath(message.path)
            guard let values = try? message.values() else { return }
            for value in values {
                look(value, 0)
                read(value)
            }
            let signature = Signature(values.map(\.type))
            guard signature.isWithinLimits, !signature.text.contains("h") else { return }
            let again = try? Message.signal(
                path: "/x", interface: "a.b", member: "c", destination: nil, body: .values(values))
            let back = again.flatMap { try? $0.values() } ?? []
            // A number that is none equals nothing, not even itself.
            hold(back.map(\.signatureOfValue) == values.map(\.signatureOfValue), "values are written as they were read")
        },
        "sheet": { bytes in
            guard let tracks = TrackSheet.tracks(bytes) else { return }
            hold(tracks.count * 8 <= bytes.count * 8, "a sheet holds what it says")
            hold(TrackSheet.tracks(TrackSheet.bytes(tracks)) == tracks, "a sheet reads back")
        },
        "signature": { bytes in
            let raw = text(bytes)
            if let signature = Signature(raw) {
                hold(Signature(signature.types).text == raw && signature.isWithinLimits, "a signature is its types")
                hold(dbus_signature_validate(raw, nil) != 0, "libdbus agrees")
                var making = Making(bytes)
                for value in making.values(signature) where !raw.contains("h") {
                    hold(signature.text.contains(value.signatureOfValue.text), "a value has its type")
                }
            } else {
                hold(raw.utf8.contains(0) || dbus_signature_validate(raw, nil) == 0, "libdbus agrees: \(raw)")
            }
            let path = ObjectPath(raw)
            hold(raw.utf8.contains(0) || (path != nil) == (dbus_validate_path(raw, nil) != 0), "libdbus agrees: \(raw)")
            if let path { _ = (MetadataCoding.entryID(path), PlaylistsInterface.list(path), path.unescapedLastElement) }
            let escaped = Names.playlists.appending(escaping: raw)
            hold(escaped.unescapedLastElement == raw, "an escaped element reads back")
        },
    ]

    /// Every accessor, over everything within.
    private static func look(_ value: BusValue, _ depth: Int) {
        guard depth < 70 else { return }
        _ = (value.string, value.integer, value.double, value.bool, value.strings, value.objectPaths, value.dictionary)
        hold(value.signatureOfValue.text.utf8.count > 0, "a value has a type")
        value.elements?.prefix(50).forEach { look($0, depth + 1) }
        value.fields?.forEach { look($0, depth + 1) }
        value.dict?.entries.prefix(50).forEach { look($0.value, depth + 1) }
    }

    /// What both sides read values as.
    static func read(_ value: BusValue) {
        _ = StatusReport(value)
        _ = (TrackCoding.listedTracks(value), TrackCoding.listedTrack(value))
        _ = (
            DownloadCoding.reports(value), PersonCoding.people(value), PlaylistCoding.listed(value) as [ListedPlaylist]?
        )
        _ = (KeepCoding.rules(value), ScrobbleCoding.reports(value), FindingCoding.findings(value))
        _ = try? value.trackReferences()
        _ = value.string.map { (TrackReference($0), PlaylistReference($0), KeptList($0), MusicList($0)) }
        _ = value.fields.map { SyncCoding.news($0) }
    }
}
