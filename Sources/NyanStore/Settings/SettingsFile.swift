import CGLib
import Glibc
public import NyanCore

/// Reads `nyand.conf`: GLib's key file, with the line numbers that GLib does not keep.
public enum SettingsFile {
    /// The settings of a file on top of the defaults.
    ///
    /// `mustExist`: a missing file is an error (it was named on the command line), else it is an empty one.
    /// - Throws: what is wrong, with the line; never a value, which may be a secret.
    public static func read(_ path: String, mustExist: Bool) throws(SettingsError) -> Settings {
        try Settings.build(from: entries(of: path, mustExist: mustExist))
    }

    static func entries(of path: String, mustExist: Bool) throws(SettingsError) -> [SettingEntry] {
        let bytes: [UInt8]?
        // One that was named may be a pipe of the shell's, `<(…)`; nobody stands behind one at the ordinary place.
        let flags = mustExist ? 0 : O_NONBLOCK
        do throws(Failure) { bytes = try WholeFile.read(path, flags: flags, limit: 1 << 20) } catch {
            throw SettingsError(line: nil, key: "the file", message: "cannot be read: \(error.message)")
        }
        guard let bytes else {
            if mustExist { throw SettingsError(line: nil, key: "the file", message: "does not exist") }
            return []
        }
        return try entries(in: bytes)
    }

    static func entries(in bytes: [UInt8]) throws(SettingsError) -> [SettingEntry] {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        let lines = try Lines(bytes)
        guard let file = g_key_file_new() else { return [] }
        defer { g_key_file_unref(file) }
        var error: UnsafeMutablePointer<GError>?
        defer { g_clear_error(&error) }
        // Translations are kept so that `key[ru]` is named as unknown instead of being passed over.
        let isRead = bytes.withUnsafeBytes { buffer in
            g_key_file_load_from_data(
                file, buffer.assumingMemoryBound(to: CChar.self).baseAddress, UInt(buffer.count),
                G_KEY_FILE_KEEP_TRANSLATIONS, &error)
        }
        // GLib finds no groups in an empty text and calls that an error; our own look at the lines is as strict.
        guard isRead != 0 else {
            if lines.numbers.isEmpty { return [] }
            throw SettingsError(line: nil, key: "the file", message: "is no key file")
        }
        var entries: [SettingEntry] = []
        for group in texts(g_key_file_get_groups(file, nil)) {
            for key in texts(g_key_file_get_keys(file, group, nil, nil)) {
                let line = lines.numbers[Lines.Name(group: group, key: key)]
                entries.append(
                    SettingEntry(group: group, key: key, value: try value(file, group, key, line), line: line))
            }
        }
        return entries.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    private static func value(
        _ file: OpaquePointer, _ group: String, _ key: String, _ line: Int?
    ) throws(SettingsError) -> String {
        guard let text = g_key_file_get_string(file, group, key, nil) else {
            let words = "is not UTF-8 or has a backslash before a wrong letter (\\\\ stands for one)"
            throw SettingsError(line: line, key: "\(group).\(key)", message: words)
        }
        defer { g_free(text) }
        var value = Substring(String(cString: text))
        while value.first?.isWhitespace == true { value.removeFirst() }
        while value.last?.isWhitespace == true { value.removeLast() }
        return String(value)
    }

    /// Takes over a NULL-terminated list of texts.
    private static func texts(_ list: UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?) -> [String] {
        guard let list else { return [] }
        defer { g_strfreev(list) }
        var texts: [String] = []
        var place = list
        while let text = place.pointee {
            texts.append(String(cString: text))
            place += 1
        }
        return texts
    }

    /// Where each key stands, and the first line that is none of a group, a key, a comment and blank.
    private struct Lines {
        struct Name: Hashable {
            var group: String
            var key: String
        }

        var numbers: [Name: Int] = [:]

        init(_ bytes: [UInt8]) throws(SettingsError) {
            var group: String?
            for (index, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
                let text = Self.trimmed(String(decoding: line, as: UTF8.self)[...])
                let number = index + 1
                if text.isEmpty || text.hasPrefix("#") { continue }
                if text.hasPrefix("["), text.hasSuffix("]"), text.count > 2 {
                    group = String(text.dropFirst().dropLast())
                } else if let equals = text.firstIndex(of: "="), equals != text.startIndex {
                    guard let group else {
                        throw SettingsError(line: number, key: "this key", message: "stands before any [group]")
                    }
                    numbers[Name(group: group, key: String(Self.trimmed(text[..<equals])))] = number
                } else {
                    let words = "is neither [group] nor key=value nor a # comment"
                    throw SettingsError(line: number, key: "this line", message: words)
                }
            }
        }

        private static func trimmed(_ text: Substring) -> Substring {
            var text = text.drop { $0.isWhitespace }
            while text.last?.isWhitespace == true { text.removeLast() }
            return text
        }
    }
}
