import NyanCore
import NyanVK

/// A token that would be noticed anywhere.
nonisolated let token = "vk1.a.SeCrEt-0123456789_+/ &="
nonisolated let profile = ClientProfile(
    name: "android", userAgent: "VKAndroidApp/8.50-17564 (Android 13)", version: "5.199",
    apiURL: "https://api.vk.test/method", headers: ["X-VK-Android-Client": "new"])
nonisolated let credential = Credential(profile: profile, token: Secret(token))

/// A source whose clock jumps, signed in.
func makeSource(_ http: ScriptedHTTP, clock: TestClock = TestClock(), signedIn: Bool = true) -> VKSource {
    let source = VKSource(http: http, time: clock, seed: 7)
    if signedIn { source.use(credential) }
    return source
}

nonisolated let placeholderItem = """
    {"id":1,"owner_id":100,"artist":"и в официальных приложениях ВКонтакте","title":"Аудио доступно на vk.com",
    "duration":25,"date":1481906888,"url":"https://vk.com/mp3/audio_api_unavailable.mp3"}
    """

/// An ordinary audio object with other members put in or over.
nonisolated func audio(
    _ id: Int64, owner: Int64 = 123456, url: String = "https://cdn.test/a/index.m3u8?x=1", _ more: String = ""
) -> String {
    #"{"id":\#(id),"owner_id":\#(owner),"artist":"A","title":"T\#(id)","duration":60,"url":"\#(url)"\#(more)}"#
}

nonisolated func list(_ items: [String], count: Int? = nil) -> Reply {
    .json(#"{"response":{"count":\#(count ?? items.count),"items":[\#(items.joined(separator: ","))]}}"#)
}

nonisolated func array(_ items: [String]) -> Reply { .json(#"{"response":[\#(items.joined(separator: ","))]}"#) }

/// The failure a call ends with; nil when it succeeds.
func failure(of call: () async throws(Failure) -> Void) async -> Failure? {
    do {
        try await call()
        return nil
    } catch {
        return error
    }
}
