public import NyanCore
import NyanDBus

/// What became of an export.
public struct ExportOutcome: Sendable, Equatable {
    public struct Refused: Sendable, Equatable {
        public var id: TrackID
        public var reason: String
        public var code: Failure.Code
        public init(id: TrackID, reason: String, code: Failure.Code) {
            self.id = id
            self.reason = reason
            self.code = code
        }
    }

    /// Files that are in the folder now.
    public var exported = 0
    /// Those of them that were there before.
    public var present = 0
    /// Bytes of all of them.
    public var bytes: Int64 = 0
    public var refused: [Refused] = []
    /// What kept the rest from being copied, such as a full stick.
    public var stopped: Failure?

    public init() {}
}

/// Copies finished files to other places under readable names.
public final class ExportService {
    private let exporter: any MusicExporter
    private let library: any LibraryStore
    private let fileNameTemplate: () -> String

    public init(
        exporter: any MusicExporter, library: any LibraryStore, fileNameTemplate: @escaping () -> String
    ) {
        self.exporter = exporter
        self.library = library
        self.fileNameTemplate = fileNameTemplate
    }

    /// `folder`: absolute; its last element is made. `isWanted`: false once nobody waits for it any more.
    public func export(
        _ ids: [TrackID], to folder: String, isWanted: () -> Bool = { true }
    ) async throws(Failure) -> ExportOutcome {
        var outcome = ExportOutcome()
        var copies: [(copy: FinishedCopy, track: Track)] = []
        for id in ids {
            guard let copy = try await library.copy(of: id) else {
                outcome.refused.append(.init(id: id, reason: Self.notThere(id), code: .notFound))
                continue
            }
            // Two ids of one recording have one file.
            guard !copies.contains(where: { $0.copy.id == copy.id }) else { continue }
            let track = try await library.tracks([copy.id]).first?.track
            copies.append((copy, track ?? Track(id: copy.id, artist: "", title: "\(copy.id)")))
        }
        guard !copies.isEmpty else { return outcome }
        try await exporter.prepare(folder: folder)
        for (copy, track) in copies where outcome.stopped == nil {
            guard isWanted() else {
                outcome.stopped = Failure(.cancelled, "the export was stopped")
                break
            }
            await export(copy, track, to: folder, &outcome)
        }
        return outcome
    }

    private static func notThere(_ id: TrackID) -> String {
        id.isVKs ? "it is not in My Music: `nyanctl download \(id)` gets it" : "its file is not in My Music any more"
    }

    private func export(
        _ copy: FinishedCopy, _ track: Track, to folder: String, _ outcome: inout ExportOutcome
    ) async {
        do throws(Failure) {
            let name = FileName.make(
                template: fileNameTemplate(), track: track, fileExtension: copy.fileExtension)
            let (_, wasThere) = try await exporter.export(copy, as: name, to: folder)
            outcome.exported += 1
            outcome.present += wasThere ? 1 : 0
            outcome.bytes += copy.bytes
        } catch {
            // A file that is gone is that track's trouble; a place that takes no more is everybody's.
            if error.code == .diskFull || error.code == .fileAccess {
                outcome.stopped = error
            } else {
                outcome.refused.append(.init(id: copy.id, reason: error.message, code: error.code))
            }
        }
    }
}

extension FinishedCopy {
    /// With the dot, as its path has it.
    var fileExtension: String {
        guard let dot = path.unicodeScalars.lastIndex(of: "."), path[dot...].utf8.count <= 8,
            !path[dot...].utf8.contains(UInt8(ascii: "/"))
        else { return ".mp3" }
        return path[dot...].lowercased()
    }
}
