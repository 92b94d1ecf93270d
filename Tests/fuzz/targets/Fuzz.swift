import CFuzz
import Glibc

/// `nyanfuzz TARGET [libFuzzer's options] CORPUS…`: throws bytes at one reader of what comes from outside, for as long as nothing breaks.
/// Without a target it lists them. `scripts/fuzz` builds and runs it.
@main enum Fuzz {
    /// What one reader does with bytes. Breaking a promise ends the process (`hold`).
    typealias Target = @Sendable ([UInt8]) -> Void

    static let targets: [String: Target] = sounds.merging(texts) { $1 }.merging(stored) { $1 }.merging(network) { $1 }

    // Set once before the driver runs, which has one thread.
    nonisolated(unsafe) private static var target: Target = { _ in }

    static func main() {
        var words = CommandLine.arguments
        guard words.count > 1, let chosen = targets[words[1]] else {
            print(targets.keys.sorted().joined(separator: "\n"))
            exit(words.count > 1 ? 2 : 0)
        }
        target = chosen
        words.remove(at: 1)
        var count = Int32(words.count)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let status = arguments.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            return LLVMFuzzerRunDriver(&count, &start) { data, size in
                Fuzz.target(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            }
        }
        exit(status)
    }
}

/// Ends the process where a promise does not hold, as libFuzzer wants it.
func hold(_ truth: Bool, _ promise: String) {
    guard !truth else { return }
    let line = Array("fuzz: broken: \(promise)\n".utf8)
    _ = write(2, line, line.count)
    abort()
}

/// The bytes as text: what is no UTF-8 becomes U+FFFD, as everywhere at our rim.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
