import NyanCore

/// The keys of one playlist, each fetched once however many segments need it (vk-api.md §4.3: one key for a list).
final class KeyRing {
    /// A key of another length than 16 bytes is an error page: fetched again twice, then given up.
    private static let mostTries = 3

    private enum Key {
        case coming(SegmentFetch, tries: Int)
        /// `isProven`: a segment has opened with it.
        case there(SegmentCipher, tries: Int, isProven: Bool)
    }

    private let transfer: CurlTransfer
    private var keys: [Secret: Key] = [:]
    private let arrived: (Secret, Failure?) -> Void

    /// `arrived` tells that the key of this address is there, or cannot be had.
    init(_ transfer: CurlTransfer, arrived: @escaping (Secret, Failure?) -> Void) {
        self.transfer = transfer
        self.arrived = arrived
    }

    /// The key if it is there; else it is being fetched afterwards.
    func cipher(_ url: Secret) -> SegmentCipher? {
        switch keys[url] {
        case .there(let cipher, _, _): return cipher
        case .coming: return nil
        case nil:
            fetch(url, tries: 1)
            return nil
        }
    }

    /// A segment opened with this key, or did not: a key that has opened none may be another file's, and is fetched again.
    func note(_ url: Secret, opened: Bool) {
        guard case .there(let cipher, let tries, false) = keys[url] else { return }
        if opened {
            keys[url] = .there(cipher, tries: tries, isProven: true)
        } else if tries < Self.mostTries {
            fetch(url, tries: tries + 1)
        }
    }

    func cancel() {
        for case .coming(let fetch, _) in keys.values { fetch.cancel() }
        keys = [:]
    }

    private func fetch(_ url: Secret, tries: Int) {
        let fetch = SegmentFetch(transfer, url: url, speedLimit: nil) { [self] in take($0, url, tries: tries) }
        keys[url] = .coming(fetch, tries: tries)
    }

    private func take(_ result: Result<SegmentFetch.ResponseBody, Failure>, _ url: Secret, tries: Int) {
        switch result {
        case .failure(let failure): arrived(url, failure)
        case .success(let body):
            if let cipher = SegmentCipher(key: body.bytes) {
                keys[url] = .there(cipher, tries: tries, isProven: false)
                arrived(url, nil)
            } else if tries < Self.mostTries {
                fetch(url, tries: tries + 1)
            } else {
                arrived(url, Failure(.badAnswer, "The key of this sound is not a key.", retry: .later))
            }
        }
    }
}
