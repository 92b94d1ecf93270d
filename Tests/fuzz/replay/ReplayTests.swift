import Glibc
import NyanCore
import Testing

/// The targets of the fuzz program with what was kept for them, in every run of the tests: what it once found stays found.
@Suite("Readers of outside bytes", .serialized, .timeLimit(.minutes(5)))
struct ReplayTests {
    private static let corpus: String = {
        let replay = String(#filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.startIndex))
        return replay + "/../corpus"
    }()

    @Test("Every reader of outside bytes has a kept corpus, and every corpus a reader")
    func complete() {
        #expect(Self.names(in: Self.corpus) == Fuzz.targets.keys.sorted())
        for name in Self.names(in: Self.corpus) { #expect(!Self.names(in: "\(Self.corpus)/\(name)").isEmpty) }
        #expect(Self.bytes(of: Self.corpus + "/keys/some").first == UInt8(ascii: "q"))
    }

    @Test("What was kept of outside bytes breaks no promise of its reader")
    func replay() throws {
        let target = try Watched()
        for (name, inputs) in Self.inputs() {
            for (file, bytes) in inputs { target.read(bytes, by: name, "\(name)/\(file)") }
        }
    }

    @Test("Outside bytes that are cut off, changed and doubled break no promise of their reader")
    func changed() throws {
        let target = try Watched()
        // The same in each run; others with NYAN_FUZZ_SEED, more with NYAN_FUZZ_ROUNDS.
        let seed = Self.number("NYAN_FUZZ_SEED") ?? 1
        for (name, inputs) in Self.inputs() {
            var random = SeededRandom(seed: UInt64(seed))
            for round in 0..<(Self.number("NYAN_FUZZ_ROUNDS") ?? 60) {
                let (file, bytes) = inputs[round % inputs.count]
                target.read(
                    Self.changed(bytes, inputs.map(\.1), &random), by: name,
                    "\(name)/\(file), seed \(seed), round \(round)")
            }
        }
    }

    @Test("No reader of outside bytes takes longer than its input is long")
    func growth() throws {
        let target = try Watched()
        for (name, inputs) in Self.inputs() {
            let whole = inputs.flatMap { $0.1 }
            guard !whole.isEmpty else { continue }
            func seconds(_ size: Int) -> Double {
                let bytes = Array((0..<(size / whole.count + 1)).map { _ in whole }.joined().prefix(size))
                var (before, after) = (timespec(), timespec())
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before)
                target.read(bytes, by: name, "\(name), \(size) bytes")
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after)
                return Double(after.tv_sec - before.tv_sec) + Double(after.tv_nsec - before.tv_nsec) / 1e9
            }
            // Eight times as much: 8 where it is linear, 64 where it goes with the square. A busy machine's caches may
            // spoil one measure, not each.
            var (short, long) = (0.0, 1.0)
            for _ in 0..<3 where long >= 0.1 && long >= 30 * short { (short, long) = (seconds(2048), seconds(16384)) }
            #expect(long < 0.1 || long < 30 * short, "\(name): \(short) s for 2 KiB, \(long) s for 16 KiB")
        }
    }

    /// Runs targets, and says of each broken promise with which input.
    private final class Watched {
        private var input = ""
        private let folder: String

        init() throws {
            folder = Self.environment("TMPDIR") ?? "/tmp"
            Fuzz.broken = { [weak self] promise in
                guard let self else { return }
                Issue.record("\(promise) [\(input)]")
            }
        }

        private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

        func read(_ bytes: [UInt8], by name: String, _ input: String) {
            self.input = input
            // Of a process that ends here the bytes are left.
            if let keep = Self.environment("NYAN_FUZZ_LAST"), let file = fopen(keep, "w") {
                fputs("\(input)\n", file)
                fwrite(bytes, 1, bytes.count, file)
                fclose(file)
            }
            Fuzz.targets[name]?(bytes)
        }
    }

    private static func number(_ variable: String) -> Int? { getenv(variable).flatMap { Int(String(cString: $0)) } }

    /// One or a few changes, such as libFuzzer makes them.
    private static func changed(_ bytes: [UInt8], _ all: [[UInt8]], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = Int.random(in: place...bytes.count, using: &random)
            switch Int.random(in: 0..<9, using: &random) {
            case 0: bytes = Array(bytes[..<place])
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: end)
            case 3: bytes.insert(.random(in: 0...255, using: &random), at: place)
            case 4: bytes.insert(contentsOf: signs.randomElement(using: &random) ?? [], at: place)
            case 5: bytes.insert(contentsOf: all.randomElement(using: &random)?.prefix(300) ?? [], at: place)
            case 6 where place < bytes.count: bytes[place] = [0, 0x7F, 0x80, 0xFF, 0x22, 0x0A][Int(bytes[place] & 3)]
            case 7 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            default: if place < bytes.count { bytes[place] = .random(in: 0...255, using: &random) }
            }
        }
        return Array(bytes.prefix(65_536))
    }

    /// What makes readers stumble.
    private static let signs: [[UInt8]] =
        [
            "9223372036854775807", "-9223372036854775808", "1e999", "-1", "\u{301}", "\u{202E}", "\u{1b}[", "\r\n",
            "\"", "\\",
            "{", "}", "null", "\u{0}", "%", "\u{1E}", "\u{D4E}", "👩‍👩‍👧", "<", "..", "/", "=", ";", ",", "\u{85}",
            "\u{2028}",
        ].map { Array($0.utf8) } + [[0xC3], [0xFF, 0xFB, 0x90, 0x64], [0xF0, 0x9F]]

    private static func inputs() -> [(String, [(String, [UInt8])])] {
        names(in: corpus).map { name in
            (name, names(in: "\(corpus)/\(name)").map { ($0, bytes(of: "\(corpus)/\(name)/\($0)")) })
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { text($0.prefix { $0 != 0 }) }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func bytes(of path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 1 << 17)
        let count = fread(&buffer, 1, buffer.count, file)
        return Array(buffer.prefix(count))
    }
}
