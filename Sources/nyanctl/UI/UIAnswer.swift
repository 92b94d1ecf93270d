import NyanCore
import NyanDBus
import NyanWire

/// What came of a call, in words.
@MainActor enum UIAnswer {
    /// nil where the screen itself shows it.
    static func notice(of call: UICall, _ values: [BusValue]) -> UIState.Notice? {
        switch (call.door, call.member) {
        case (.downloads, "Add"): download(values)
        case (.downloads, let member): good(DownloadWords.done(member, values.first?.integer ?? 0))
        case (.profile, "Add"), (.profile, "Like"): added(values)
        case (.profile, "Remove"): removed(values)
        case (.profile, "Restore"):
            good(
                values.dropFirst().first?.bool == true
                    ? "it is in the profile" : "it is in the profile again, in its place")
        case (.library, "DeleteCopies"): deleted(values)
        case (.library, "Sync"): synced(values)
        case (.files, "Export"): exported(values, into: call.arguments.last?.string ?? "")
        case (.queue, "Add"): good("it is in the queue")
        default: nil
        }
    }

    private static func good(_ text: String) -> UIState.Notice { .init(text: text) }
    private static func bad(_ text: String) -> UIState.Notice { .init(text: text, isAlarm: true) }

    private static func download(_ values: [BusValue]) -> UIState.Notice? {
        if let reason = values.dropFirst().first?.elements?.first?[1]?.string { return bad(reason) }
        return DownloadWords.queued(values.first?.integer ?? 0, named: 1).map(good)
    }

    private static func added(_ values: [BusValue]) -> UIState.Notice? {
        guard let report = AddReport(values) else { return nil }
        return trouble(report.rest) ?? good(report.words(of: 1))
    }

    private static func removed(_ values: [BusValue]) -> UIState.Notice? {
        guard values.count == 3 else { return nil }
        return trouble(Remainder(refused: values[1], stopped: values[2]))
            ?? good("removed from the profile; u undoes it for some minutes")
    }

    private static func deleted(_ values: [BusValue]) -> UIState.Notice? {
        guard values.count == 2, let files = values[0].integer, let bytes = values[1].int64 else { return nil }
        return good("deleted \(files) file\(files == 1 ? "" : "s"), \(ByteText.text(bytes)) freed")
    }

    private static func synced(_ values: [BusValue]) -> UIState.Notice? {
        guard values.count >= 3, let total = values[0].integer, let added = values[1].integer,
            let removed = values[2].integer
        else { return nil }
        return good("\(total) tracks, \(added) new, \(removed) removed")
    }

    private static func exported(_ values: [BusValue], into path: String) -> UIState.Notice? {
        guard values.count == 5, let exported = values[0].integer, let bytes = values[2].int64 else { return nil }
        return trouble(Remainder(refused: values[3], stopped: values[4]))
            ?? good("exported \(exported) file\(exported == 1 ? "" : "s"), \(ByteText.text(bytes)), into \(path)")
    }

    private static func trouble(_ rest: Remainder) -> UIState.Notice? {
        (rest.stopped?.message ?? rest.refused.first?.reason).map(bad)
    }
}
