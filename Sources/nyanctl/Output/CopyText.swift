import Glibc
import NyanCore
import NyanWords

/// What is to be told of a finished copy's file. The path is one of this machine, so the file itself is asked: what
/// the listing shows is what is there now.
struct CopyText: Equatable {
    /// `7.6 MB`, `320 kbit/s`, `mp3`; empty where it is not known.
    var size = ""
    var rate = ""
    var form = ""

    init() {}

    init(_ listed: ListedTrack) {
        var facts = stat()
        if let path = listed.copyPath, stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG {
            self.init(path, bytes: Int64(facts.st_size), seconds: listed.track.duration)
        } else {
            self.init()
        }
    }

    init(_ path: String, bytes: Int64, seconds: Int) {
        size = ByteText.text(bytes)
        if let rate = Self.rate(bytes: bytes, seconds: seconds) { self.rate = Words.said("\(rate) kbit/s") }
        let name = path[(path.lastIndex(of: "/") ?? path.startIndex)...]
        guard let dot = name.lastIndex(of: ".") else { return }
        let ending = name[name.index(after: dot)...]
        if ending.utf8.count <= 4, ending.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) {
            form = ending.lowercased()
        }
    }

    /// The average in kbit/s. Tags and cover are a few percent of a file: what is near above one of the usual rates is
    /// that rate.
    static func rate(bytes: Int64, seconds: Int) -> Int? {
        guard seconds > 0, bytes > 0 else { return nil }
        let average = Double(bytes) * 8 / 1000 / Double(seconds)
        let usual = [64, 96, 128, 160, 192, 224, 256, 320].first { (0.98...1.04).contains(average / Double($0)) }
        let rate = usual ?? Int(average.rounded())
        return (8...9999).contains(rate) ? rate : nil
    }
}
