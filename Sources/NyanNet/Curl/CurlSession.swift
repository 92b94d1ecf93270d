import CCurl
import Dispatch
public import NyanCore

/// libcurl's multi interface on the Dispatch main queue: every byte nyand fetches comes through one of these.
///
/// Sockets are Dispatch sources, libcurl's clock is one Dispatch timer; without transfers nothing wakes up.
/// Connections stay open for the next request to the same host. Main actor only, but for `loadLibrary`.
@MainActor public final class CurlSession {
    /// How long a server may take. Tests use shorter ones.
    public struct Limits: Sendable {
        /// Until a connection stands, name and TLS included.
        public var connect: Duration
        /// A transfer without a byte, or slower than `leastBytesPerSecond`, for so long (whole seconds) is given up.
        public var silence: Duration
        public var leastBytesPerSecond: Int

        public init(
            connect: Duration = .seconds(10), silence: Duration = .seconds(10), leastBytesPerSecond: Int = 64
        ) {
            self.connect = connect
            self.silence = silence
            self.leastBytesPerSecond = leastBytesPerSecond
        }
    }

    /// Idle connections kept open, all hosts together.
    private static let keptConnections = 12
    private static let keptHandles = 8

    /// As libcurl's `CURLOPT_PROXY` (setting `network.proxy`); nil or empty: the environment's variables count.
    /// Holds for requests begun afterwards.
    public var proxy: Secret?
    public let limits: Limits

    /// Made for the first exchange: libcurl is not loaded before.
    private var multi: UnsafeMutableRawPointer?
    private let timer: any DispatchSourceTimer
    /// When it goes off.
    private var wakes: DispatchTime?
    /// Goes off when the first of the running transfers may have been silent for too long; rests without transfers.
    private let watchdog: any DispatchSourceTimer
    private var isWatching = false
    private var watches: [curl_socket_t: SocketWatch] = [:]
    private var running: [UnsafeMutableRawPointer: Exchange] = [:]
    private var idleHandles: [EasyHandle] = []
    private let line = ConnectionLine()
    /// libcurl forbids adding and removing handles from inside its callbacks: such wishes wait until it returns.
    private var isInsideCurl = false
    private var entering: [Exchange] = []
    private var leaving: [Exchange] = []
    let gathering = BodyGathering()
    let steady = SteadyLine()

    public init(proxy: Secret? = nil, limits: Limits = Limits()) {
        self.proxy = proxy
        self.limits = limits
        timer = DispatchSource.makeTimerSource(queue: .main)
        watchdog = DispatchSource.makeTimerSource(queue: .main)
        timer.setEventHandler { [weak self] in
            self?.wakes = nil
            self?.act(on: CURL_SOCKET_TIMEOUT, 0)
        }
        watchdog.setEventHandler { [weak self] in self?.endSilence() }
        steady.look = { [weak self] in self?.act(on: $0, CURL_CSELECT_IN) }
        for source in [timer, watchdog] {
            source.schedule(deadline: .distantFuture)
            source.resume()
        }
    }

    /// Loads libcurl, some milliseconds' work that the first request would otherwise wait for. From any thread.
    public nonisolated static func loadLibrary() { _ = nyan_curl_load() }

    // With the isolation left to the module's default, release builds of importing modules refuse this (Swift 6.3).
    isolated deinit {
        timer.cancel()
        watchdog.cancel()
        disconnect()
    }

    /// Closes every connection, idle or in use: after the machine slept or changed its network they lead nowhere, and
    /// asking them would take until a time limit. What runs fails as a broken connection; what begins afterwards, also
    /// from within such a failure, opens its own. Not to be called from inside libcurl.
    public func dropConnections() {
        guard !isInsideCurl else { return DispatchQueue.main.async { [weak self] in self?.dropConnections() } }
        let cut = Array(running.values) + line.takeAll()
        disconnect()
        running = [:]
        idleHandles = []
        isWatching = false
        wakes = nil
        for source in [timer, watchdog] { source.schedule(deadline: .distantFuture) }
        for exchange in cut { exchange.tell(.failed(NetworkFailure.dropped(host: exchange.host))) }
    }

    /// Lets go of libcurl's part with all its sockets and names.
    private func disconnect() {
        for (socket, watch) in watches {
            steady.forget(socket)
            watch.stop()
        }
        watches = [:]
        guard let multi else { return }
        // What follows would call back into a session that looks elsewhere already.
        nyan_multi_on_socket(multi, nil, nil)
        nyan_multi_on_timer(multi, nil, nil)
        for raw in running.keys { curl_multi_remove_handle(multi, raw) }
        curl_multi_cleanup(multi)
        self.multi = nil
    }

    /// Begins an exchange; see `Exchange` for when the handlers run. Nil when memory is out.
    func start(
        _ request: WireRequest, onHead: @escaping (ResponseHead) -> Bool,
        onBody: @escaping (UnsafeRawBufferPointer) -> Bool, onEnd: @escaping (Exchange.End) -> Void
    ) -> Exchange? {
        guard let easy = idleHandles.popLast() ?? EasyHandle() else { return nil }
        let exchange = Exchange(request, easy: easy, session: self, onHead: onHead, onBody: onBody, onEnd: onEnd)
        if isInsideCurl { entering.append(exchange) } else { enter(exchange) }
        return exchange
    }

    /// Takes an exchange out of libcurl, now or as soon as libcurl returns.
    func drop(_ exchange: Exchange) {
        if isInsideCurl { leaving.append(exchange) } else { leave(exchange) }
    }

    /// Transfers going on; 0 when the session is idle.
    var runningCount: Int { running.count + entering.count + line.count }

    /// Those of them that libcurl works on: without the ones that wait.
    var goingOn: Int { running.count }

    private func connect() {
        guard multi == nil else { return }
        multi = curl_multi_init()
        guard let multi else { return }
        nyan_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.keptConnections)
        let me = Unmanaged.passUnretained(self).toOpaque()
        // libcurl calls both only from inside this session's calls, on the main queue.
        nyan_multi_on_socket(
            multi,
            { _, socket, what, me, _ in
                guard let me else { return 0 }
                Unmanaged<CurlSession>.fromOpaque(me).takeUnretainedValue().watch(socket, what)
                return 0
            }, me)
        nyan_multi_on_timer(
            multi,
            { _, milliseconds, me in
                guard let me else { return 0 }
                Unmanaged<CurlSession>.fromOpaque(me).takeUnretainedValue().wake(after: milliseconds)
                return 0
            }, me)
    }

    private func watch(_ socket: curl_socket_t, _ what: Int32) {
        if what == CURL_POLL_REMOVE {
            steady.forget(socket)
            watches.removeValue(forKey: socket)?.stop()
            return
        }
        let watch =
            watches[socket] ?? SocketWatch(socket) { [weak self] socket, events in self?.act(on: socket, events) }
        watches[socket] = watch
        watch.watch(what)
    }

    /// libcurl puts its time limits off with every packet. Setting a timer anew costs Dispatch a turn of its managing
    /// thread, as much as reading the packet: a timer that goes off too early is left as it is, and libcurl then says when
    /// it wants to be called again.
    /// - Parameter milliseconds: as libcurl says it; below 0 = no wish.
    private func wake(after milliseconds: Int) {
        guard milliseconds >= 0 else {
            if wakes != nil { timer.schedule(deadline: .distantFuture) }
            wakes = nil
            return
        }
        let due = DispatchTime.now() + .milliseconds(milliseconds)
        if let wakes, wakes <= due { return }
        wakes = due
        timer.schedule(deadline: due, leeway: .milliseconds(milliseconds > 50 ? 5 : 0))
    }

    /// Gives up the transfers whose server has been silent for too long, and sleeps until the next may be.
    private func endSilence() {
        isWatching = false
        let waiting = running.values.compactMap { exchange in
            exchange.patience(limits).map { (exchange: exchange, left: $0) }
        }
        for (exchange, left) in waiting where left <= .zero && running[exchange.easy.raw] === exchange {
            leave(exchange)
            exchange.tell(.failed(NetworkFailure.of(CURLE_OPERATION_TIMEDOUT, host: exchange.host)))
        }
        guard !running.isEmpty, let next = waiting.map(\.left).filter({ $0 > .zero }).min() else { return }
        watch(for: min(next, limits.silence))
    }

    private func watch(for silence: Duration) {
        isWatching = true
        watchdog.schedule(
            deadline: .now() + .milliseconds(Int(silence.milliseconds) + 1), leeway: .milliseconds(200))
    }

    private func act(on socket: curl_socket_t, _ events: Int32) {
        guard let multi, !isInsideCurl else { return }
        isInsideCurl = true
        var count: Int32 = 0
        curl_multi_socket_action(multi, socket, events, &count)
        gathering.flush()
        isInsideCurl = false
        settle()
        steady.turnEnded(socket, watches[socket])
    }

    /// Does what had to wait, then tells the ends. Handlers may start and cancel as they like here.
    private func settle() {
        while let exchange = leaving.popLast() { leave(exchange) }
        while !entering.isEmpty { enter(entering.removeFirst()) }
        var left: Int32 = 0
        while let multi, let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let raw = message.pointee.easy_handle,
                let exchange = running[raw]
            else { continue }
            let code = message.pointee.data.result
            remove(exchange)
            switch exchange.ended(code) {
            case .again: enter(exchange)
            case .over(let end):
                giveBack(exchange.easy)
                exchange.tell(end)
            }
        }
        endStopped()
    }

    /// Ends the exchanges whose handler wanted no more of what was gathered for it: libcurl does not know of that.
    private func endStopped() {
        for exchange in running.values.filter(\.stopped) where running[exchange.easy.raw] === exchange {
            leave(exchange)
            exchange.tell(.stopped)
        }
    }

    private func enter(_ exchange: Exchange) {
        guard !exchange.isCancelled else { return }
        connect()
        guard let multi else {
            // Later, as everything is told: whoever asked has not returned yet.
            return DispatchQueue.main.async { exchange.tell(.failed(NetworkFailure.outOfMemory)) }
        }
        guard line.lets(exchange, beside: running.values) else { return }
        exchange.prepare(limits: limits, proxy: proxy?.revealed)
        if !isWatching, exchange.request.timeout == nil { watch(for: limits.silence) }
        running[exchange.easy.raw] = exchange
        curl_multi_add_handle(multi, exchange.easy.raw)
    }

    private func leave(_ exchange: Exchange) {
        entering.removeAll { $0 === exchange }
        line.remove(exchange)
        guard running[exchange.easy.raw] === exchange else { return }
        remove(exchange)
        giveBack(exchange.easy)
    }

    private func remove(_ exchange: Exchange) {
        running[exchange.easy.raw] = nil
        // Removing may close the socket and call back: nothing may be added or removed meanwhile.
        let wasInside = isInsideCurl
        isInsideCurl = true
        curl_multi_remove_handle(multi, exchange.easy.raw)
        isInsideCurl = wasInside
        if line.count > 0 { DispatchQueue.main.async { [weak self] in self?.admit() } }
        guard running.isEmpty else { return }
        gathering.rest()
        guard isWatching else { return }
        isWatching = false
        watchdog.schedule(deadline: .distantFuture)
    }

    /// Lets those begin who waited for others to end.
    private func admit() {
        for exchange in line.takeAll() { enter(exchange) }
    }

    private func giveBack(_ easy: EasyHandle) {
        easy.reset()
        if idleHandles.count < Self.keptHandles { idleHandles.append(easy) }
    }
}
