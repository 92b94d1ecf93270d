import FoundationEssentials
import Glibc
public import NyanCore
import NyanDBus

// Pauses that servers ask for, which a restart does not shorten (field-issues.md C12); and who goes first.
extension DownloadService {
    static let holdsNote = "downloads.holds"
    /// No stored pause is longer: a clock that was set back must not park the downloads.
    private static let longestHold: Double = 7 * 3600

    func waitForHold(_ pause: Duration) {
        hold?.cancel()
        hold = Task.onMain { [weak self, time] in
            do { try await time.wait(for: pause) } catch { return }
            self?.handle(.holdOver)
        }
        rememberHolds()
    }

    /// Stored as moments of the wall clock, in seconds since 1970.
    private func rememberHolds() {
        let now = wallClock()
        let moments = machine.holds(at: time.now).mapValues { now + $0 / .seconds(1) }
        let text = (try? JSONEncoder().encode(moments)).map { String(decoding: $0, as: UTF8.self) }
        writes.add(isAside: true) { [library] () throws(Failure) in try await library.setNote(Self.holdsNote, text) }
    }

    /// What an earlier run was asked to wait for, as time left; what is over or cannot be is left out.
    func storedHolds() async -> [String: Duration] {
        guard let text = (try? await library.note(Self.holdsNote)) ?? nil,
            let moments = try? JSONDecoder().decode([String: Double].self, from: Data(text.utf8))
        else { return [:] }
        let now = wallClock()
        return moments.mapValues { $0 - now }.filter { $0.value > 0 && $0.value <= Self.longestHold }
            .mapValues { .seconds($0) }
    }

    /// A download's host is waited for: then it is not asked.
    func hostRefusal(_ host: String) -> Failure? {
        guard let left = machine.holds(at: time.now)[host] else { return nil }
        var failure = Failure(
            .serverBusy, "\(Self.name(ofHost: host)) asks to wait", retry: .after(seconds: left / .seconds(1)))
        failure.host = host
        return failure
    }

    /// Without the port, which says nothing to a person.
    private static func name(ofHost host: String) -> String {
        guard let colon = host.lastIndex(of: ":"), host[host.index(after: colon)...].allSatisfy(\.isNumber) else {
            return host
        }
        return String(host[..<colon])
    }

    /// When a pause ends, as a person's clock shows it.
    func clockText(after pause: Duration) -> String {
        var moment = time_t((wallClock() + pause / .seconds(1)).rounded(.up))
        var parts = tm()
        localtime_r(&moment, &parts)
        let two = { (number: Int32) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    }

    /// What the listener hears goes first.
    func lookAtListening() {
        let ids = listening()
        guard ids != machine.listening else { return }
        handle(.listening(ids))
    }
}

// What readers see of a download: with why it waits, where that is not its own trouble, and until when.
extension DownloadService {
    /// In queue order, as readers see them.
    public var shown: [Download] {
        let holds = machine.holds(at: time.now)
        return machine.downloads.map { shown($0, holds) }
    }

    func shown(_ download: Download, _ holds: [String: Duration]) -> Download {
        guard download.state == .waiting else { return download }
        var download = download
        if let trouble = machine.placeTrouble {
            download.failure = trouble
            return download
        }
        guard let failure = download.failure ?? pause(download.id, holds), failure.code == .serverBusy,
            let left = holds[failure.host ?? DownloadMachine.everyHost]
        else { return download }
        let message = failure.message.hasSuffix(".") ? String(failure.message.dropLast()) : failure.message
        download.failure = failure
        download.failure?.message = "\(message); it goes on at \(clockText(after: left))"
        return download
    }

    /// Why one waits that met no trouble itself: its host, or VK, was asked by others and wants a pause.
    private func pause(_ id: TrackID, _ holds: [String: Duration]) -> Failure? {
        guard let host = machine.holder(of: id, among: holds), let left = holds[host] else { return nil }
        let isVK = host == DownloadMachine.everyHost
        var failure = Failure(
            .serverBusy, "\(isVK ? "VK" : Self.name(ofHost: host)) asks to wait", subject: id,
            retry: .after(seconds: left / .seconds(1)))
        if !isVK { failure.host = host }
        return failure
    }

    /// Called after everything that may begin or end a pause: the reasons of those that wait for it are others now.
    func lookAtHolds() {
        let holds = machine.holds(at: time.now)
        guard Set(holds.keys) != heldHosts else { return }
        let other = heldHosts.symmetricDifference(holds.keys)
        heldHosts = Set(holds.keys)
        let met = Dictionary(uniqueKeysWithValues: other.map { ($0, Duration.zero) })
        changed.formUnion(
            machine.downloads.lazy.filter { $0.state == .waiting }.map(\.id)
                .filter { self.machine.holder(of: $0, among: met) != nil })
    }
}
