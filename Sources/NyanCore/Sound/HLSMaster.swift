/// Chooses the sound of a master playlist: the variant of the highest BANDWIDTH, or the audio rendition that belongs to
/// it (RFC 8216 §4.3.4).
enum HLSMaster {
    private struct Variant {
        var bandwidth: Int
        var group: Substring?
        var url = ""
    }

    /// An `EXT-X-MEDIA` of TYPE=AUDIO. Without an address its sound is inside the variant.
    private struct Rendition {
        var group: Substring
        var isDefault: Bool
        var reference: Substring?
    }

    static func best(_ lines: [Substring], url: Secret) throws(HLSPlaylistError) -> Secret {
        var best: Variant?
        var offered: Variant?
        var renditions: [Rendition] = []
        for line in lines {
            if let attributes = attributes(of: "#EXT-X-STREAM-INF:", in: line) {
                let bandwidth = attributes["BANDWIDTH"].flatMap { Int($0) } ?? 0
                offered = Variant(bandwidth: bandwidth, group: attributes["AUDIO"])
            } else if let attributes = attributes(of: "#EXT-X-MEDIA:", in: line) {
                guard attributes["TYPE"] == "AUDIO", let group = attributes["GROUP-ID"] else { continue }
                renditions.append(
                    Rendition(
                        group: group, isDefault: attributes["DEFAULT"] == "YES", reference: attributes["URI"]))
            } else if !line.hasPrefix("#"), var variant = offered {
                offered = nil
                guard let address = URLReference.resolve(line, against: url.revealed) else { throw .badAddress }
                variant.url = address
                if best.map({ variant.bandwidth > $0.bandwidth }) ?? true { best = variant }
            }
        }
        guard let best else { throw .empty }
        let group = renditions.filter { $0.group == best.group }
        guard let reference = (group.first { $0.isDefault } ?? group.first)?.reference else { return Secret(best.url) }
        guard let address = URLReference.resolve(reference, against: url.revealed) else { throw .badAddress }
        return Secret(address)
    }

    private static func attributes(of tag: String, in line: Substring) -> HLSAttributes? {
        line.hasPrefix(tag) ? HLSAttributes(line.dropFirst(tag.count)) : nil
    }
}
