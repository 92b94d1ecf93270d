extension Location {
    /// The server, with its port if one is named; in lower case. The only part of the address that may be shown.
    public var host: String? {
        let text = url.revealed
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        // By scalars: `/` and a mark behind it are one `Character`, and what follows may be a secret.
        let authority = text[colon...].unicodeScalars.dropFirst(3).prefix { !"/?#".unicodeScalars.contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last.map { String($0) } ?? ""
        return host.isEmpty ? nil : host.lowercased()
    }
}
