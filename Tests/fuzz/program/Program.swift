import CFuzz
import Glibc

/// `nyanfuzz TARGET [libFuzzer's options] CORPUS…`: throws bytes at one reader of what comes from outside, for as long as nothing breaks.
/// Without a target it lists them. `scripts/fuzz` builds and runs it.
@main enum Program {
    private static var target: Fuzz.Target = { _ in }

    private static let variable = "NYAN_FUZZ_TARGET"

    static func main() {
        var words = CommandLine.arguments
        // libFuzzer begins itself anew to merge and to make small, with what it was given: its own options.
        if let name = getenv(variable), words.count > 1, Fuzz.targets[words[1]] == nil {
            words.insert(String(cString: name), at: 1)
        }
        guard words.count > 1, let chosen = Fuzz.targets[words[1]] else {
            print(Fuzz.targets.keys.sorted().joined(separator: "\n"))
            exit(words.count > 1 ? 2 : 0)
        }
        target = chosen
        setenv(variable, words[1], 1)
        // Ends the process where a promise does not hold, as libFuzzer wants it.
        Fuzz.broken = { promise in
            let line = Array("fuzz: broken: \(promise)\n".utf8)
            _ = write(2, line, line.count)
            abort()
        }
        words.remove(at: 1)
        var count = Int32(words.count)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        let status = arguments.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            // Called on this thread, which is the main actor's.
            return LLVMFuzzerRunDriver(&count, &start) { data, size in
                Program.target(Array(UnsafeBufferPointer(start: data, count: size)))
                return 0
            }
        }
        exit(status)
    }
}
