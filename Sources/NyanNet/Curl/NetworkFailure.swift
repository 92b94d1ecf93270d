import CCurl
import Glibc
import NyanCore

/// Turns libcurl's codes and HTTP's statuses into a `Failure` whose sentence names the host and nothing more of the URL.
nonisolated enum NetworkFailure {
    /// What a transfer that ended with `code` means for the caller.
    static func of(_ code: CURLcode, host: String) -> Failure {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            Failure(.network, "The name \(host) cannot be found.", retry: .later)
        case CURLE_COULDNT_RESOLVE_PROXY:
            Failure(.network, "The proxy's name cannot be found.", retry: .later)
        case CURLE_PROXY:
            Failure(.network, "The proxy would not connect to \(host).", retry: .later)
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED:
            Failure(.network, "\(host) cannot be reached.", retry: .later)
        case CURLE_OPERATION_TIMEDOUT:
            Failure(.timeout, "\(host) did not answer in time.", retry: .later)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            Failure(.network, "\(host) could not prove who it is; its certificate is not trusted.", retry: .later)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE,
            CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_SHUTDOWN_FAILED:
            Failure(.network, "No secure connection to \(host) could be made.", retry: .later)
        case CURLE_PARTIAL_FILE:
            tooEarly(host: host)
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            Failure(.network, "The connection to \(host) broke off.", retry: .later)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT:
            Failure(.badAnswer, "\(host) answered something that is not HTTP.", retry: .later)
        case CURLE_TOO_MANY_REDIRECTS:
            tooManyRedirects(host: host)
        case CURLE_OUT_OF_MEMORY:
            outOfMemory
        default:
            Failure(.network, "The connection to \(host) failed (\(code.rawValue)).", retry: .later)
        }
    }

    /// The same by the code's number, for whoever does not know libcurl's types.
    static func of(curlCode: UInt32, host: String) -> Failure { of(CURLcode(rawValue: curlCode), host: host) }

    /// What an answer that is no success means for someone fetching media (vk-api.md §4.5); nil for a success and for
    /// 416, which depends on what is there already.
    static func of(mediaStatus status: Int, headers: [String: String], host: String) -> Failure? {
        switch status {
        case 200, 206, 416: nil
        case 429, 503: busy(headers: headers, host: host)
        case 407: Failure(.network, "The proxy asks for a name and a password.", retry: .later)
        case 408: Failure(.timeout, "\(host) did not wait for the request.", retry: .later)
        case 500...: Failure(.serverBusy, "\(host) has trouble (\(status)).", retry: .later)
        case 400..<500: Failure(.expiredLocation, "\(host) no longer gives this track (\(status)).")
        default: Failure(.badAnswer, "\(host) answered with an unexpected status (\(status)).", retry: .later)
        }
    }

    static func busy(headers: [String: String], host: String) -> Failure {
        let wait = headers["retry-after"].flatMap { retryAfter($0, now: epochSeconds()) }
        var failure = Failure(
            .serverBusy, "\(host) asks to wait.", retry: wait.map { .after(seconds: $0) } ?? .later)
        failure.host = host
        return failure
    }

    static func tooEarly(host: String) -> Failure {
        Failure(.network, "\(host) ended its answer too early.", retry: .later)
    }

    static func tooLong(host: String) -> Failure {
        Failure(.badAnswer, "\(host) answered more than expected.")
    }

    static func tooManyRedirects(host: String) -> Failure {
        Failure(.badAnswer, "\(host) redirects in circles.", retry: .later)
    }

    static func dropped(host: String) -> Failure {
        Failure(.network, "The connection to \(host) was closed after the machine slept.", retry: .later)
    }

    /// Also what is said of every address where libcurl, which reads them, is missing.
    static func badAddress() -> Failure {
        guard nyan_curl_load() else {
            return Failure(
                .internal,
                "The library libcurl.so.4 cannot be loaded: install libcurl4, or restart nyand if it was just upgraded."
            )
        }
        return Failure(.badAnswer, "The address is not one of the web.")
    }

    static let outOfMemory = Failure(.internal, "Out of memory.", retry: .later)

    static let cancelled = Failure(.cancelled, "The request was called off.")

    /// Seconds to wait by a Retry-After value, a number or an HTTP date; nil when unreadable.
    /// `now` is in seconds since 1970.
    static func retryAfter(_ value: String, now: Double) -> Double? {
        if let seconds = Double(value), seconds.isFinite { return max(0, seconds) }
        let date = curl_getdate(value, nil)
        return date < 0 ? nil : max(0, Double(date) - now)
    }

    /// Seconds between two HTTP dates; nil when the first is unreadable. Without a second: until now.
    static func age(of date: String, at later: String?) -> Double? {
        let (then, now) = (curl_getdate(date, nil), later.map { curl_getdate($0, nil) } ?? -1)
        return then < 0 ? nil : (now < 0 ? epochSeconds() : Double(now)) - Double(then)
    }

    private static func epochSeconds() -> Double { Double(time(nil)) }
}
