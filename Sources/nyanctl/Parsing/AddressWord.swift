import Glibc
import NyanCore

/// A word that names a file of this machine or an address on the web.
enum AddressWord {
    /// The address a word means; nil where it is a text. What is written as a path, and any word that names a file, is a
    /// path.
    static func address(_ word: String, command: String) throws(Ending) -> String? {
        // Whether it is a good one is the daemon's to say.
        if word.contains("://") || word.lowercased().hasPrefix("file:") { return word }
        let isPath = ["/", "./", "../"].contains { word.hasPrefix($0) }
        var facts = stat()
        guard stat(word, &facts) == 0 else {
            if isPath {
                let sentence = "there is no file “\(word)”"
                throw .failed(code: Failure.Code.notFound.rawValue, message: sentence, status: 5)
            }
            return nil
        }
        if facts.st_mode & S_IFMT == S_IFDIR {
            // A folder that has the name of a text is no reason not to look for the text.
            guard isPath || word.hasSuffix("/") else { return nil }
            throw .usage(
                "“\(word)” is a folder: name its files, such as \(word)\(word.hasSuffix("/") ? "" : "/")*.mp3",
                command: command)
        }
        do throws(Failure) {
            return try SoundAddress(path: absolute(word)).text
        } catch {
            throw .usage(error.message, command: command)
        }
    }

    /// The path from the root; the daemon runs in another folder.
    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + (path.hasPrefix("./") ? path.dropFirst(2) : path[...])
    }
}
