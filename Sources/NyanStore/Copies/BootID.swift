import Glibc

/// Which run of the kernel this is. Bytes written in an earlier one may never have reached the disk: the page cache
/// outlives kill -9, but no power cut (decision 0018).
enum BootID {
    /// `/proc/sys/kernel/random/boot_id` (random(4)); nil where it cannot be read, which is like no run that is known.
    static let current: String? = {
        guard let bytes = try? WholeFile.read("/proc/sys/kernel/random/boot_id", limit: 200) else { return nil }
        let text = String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }()
}
