/// Field by field, as the compiler would write it but for absent values, which are null (CONTRACT.md §5): a `Nullable` for
/// each of them costs an encoder of its own, which over ten thousand tracks is half of the time (docs/decisions/0040).
extension TrackDocument {
    private enum Key: String, CodingKey {
        case id, artist, title, duration, album, available, unavailableReason, downloaded, path, explicit, added, cover
        case position, current, playedAt, heard
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        func text(_ value: String?, _ key: Key) throws {
            if let value { try fields.encode(value, forKey: key) } else { try fields.encodeNil(forKey: key) }
        }
        try fields.encode(id, forKey: .id)
        try fields.encode(artist, forKey: .artist)
        try fields.encode(title, forKey: .title)
        if let seconds = duration.value {
            try fields.encode(seconds, forKey: .duration)
        } else {
            try fields.encodeNil(forKey: .duration)
        }
        try text(album.value, .album)
        try fields.encode(available, forKey: .available)
        try text(unavailableReason.value, .unavailableReason)
        try fields.encode(downloaded, forKey: .downloaded)
        try text(path.value, .path)
        try fields.encode(explicit, forKey: .explicit)
        try fields.encode(added, forKey: .added)
        try text(cover.value, .cover)
        // These are left out where they say nothing.
        try fields.encodeIfPresent(position, forKey: .position)
        try fields.encodeIfPresent(current, forKey: .current)
        try fields.encodeIfPresent(playedAt, forKey: .playedAt)
        try fields.encodeIfPresent(heard, forKey: .heard)
    }
}
