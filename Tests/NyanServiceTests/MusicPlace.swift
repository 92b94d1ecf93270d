import Glibc

@testable import NyanService

/// A real folder of My Music, gone with its test.
final class MusicPlace {
    let path: String

    init(_ place: DownloadTests.Place) throws {
        var template = Array("/tmp/nyan-music-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(number: errno) }
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? "/no such folder"
        switch place {
        case .away: rmdir(path)
        case .empty: break
        case .others: close(creat("\(path)/other.mp3", 0o600))
        }
    }

    struct SystemError: Error { var number: Int32 }

    isolated deinit {
        unlink("\(path)/other.mp3")
        rmdir(path)
    }
}
