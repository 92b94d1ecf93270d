extension Location {
    /// The server, with its port if one is named; in lower case. The only part of the address that may be shown.
    public var host: String? {
        let text = url.revealed
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        let authority = text[colon...].dropFirst(3).prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return host.isEmpty ? nil : host.lowercased()
    }
}
