import CCrypto

/// AES-128-CBC with PKCS#7 padding by libcrypto: how HLS segments are packed (vk-api.md §4.3).
nonisolated struct SegmentCipher: Sendable {
    static let keySize = 16

    private let key: [UInt8]

    /// Nil unless the key has exactly 16 bytes: an error page is not a key.
    init?(key: [UInt8]) {
        guard key.count == Self.keySize else { return nil }
        self.key = key
    }

    /// The plain segment; nil when the length is no positive multiple of 16 or the padding is wrong.
    /// `iv` has 16 bytes.
    func open(_ sealed: [UInt8], iv: [UInt8]) -> [UInt8]? {
        guard !sealed.isEmpty, sealed.count.isMultiple(of: 16), iv.count == 16, sealed.count <= Int32.max - 16,
            let context = EVP_CIPHER_CTX_new()
        else { return nil }
        defer { EVP_CIPHER_CTX_free(context) }
        guard EVP_DecryptInit_ex(context, EVP_aes_128_cbc(), nil, key, iv) == 1 else { return nil }
        var isRight = false
        let plain = [UInt8](unsafeUninitializedCapacity: sealed.count + 16) { room, count in
            var length: Int32 = 0
            var rest: Int32 = 0
            guard EVP_DecryptUpdate(context, room.baseAddress, &length, sealed, Int32(sealed.count)) == 1,
                let base = room.baseAddress
            else { return }
            isRight = EVP_DecryptFinal_ex(context, base + Int(length), &rest) == 1
            count = Int(length) + Int(rest)
        }
        return isRight ? plain : nil
    }

    /// The IV of a segment whose playlist names none: its sequence number, 16 bytes big-endian.
    static func iv(sequence: Int) -> [UInt8] {
        [UInt8](repeating: 0, count: 8) + withUnsafeBytes(of: UInt64(sequence).bigEndian) { Array($0) }
    }
}
