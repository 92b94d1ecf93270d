import NyanStore
import Testing

@Suite("Names of folders in the settings")
struct FolderNameTests {
    @Test(
        "~ is the home, and a slash at the end means nothing",
        arguments: [
            ("~", "/h"), ("~/Music", "/h/Music"), ("~/Music/", "/h/Music"), ("/a/b//", "/a/b"), ("/", "/"),
            ("~x", "~x"),
        ])
    func expanded(text: String, path: String) { #expect(Places(environment: ["HOME": "/h"]).expanded(text) == path) }
}
