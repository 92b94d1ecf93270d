import CCrypto

/// A call's signature: the MD5 of all names and values, in the order of the names' bytes, and the shared secret.
/// `format` is no part of it. Last.fm documentation, "Authentication", §8.
nonisolated enum LastFMSignature {
    /// 32 hexadecimal digits; nil where OpenSSL was built or told to do without MD5.
    static func text(of fields: [(name: String, value: String)], secret: String) -> String? {
        // By bytes: `artist[10]` comes before `artist[1]`.
        let sorted = fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let bytes = sorted.flatMap { Array($0.name.utf8) + Array($0.value.utf8) } + Array(secret.utf8)
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_Digest(bytes, bytes.count, &digest, &count, EVP_md5(), nil) == 1, count == 16 else { return nil }
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: digest[..<16].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
