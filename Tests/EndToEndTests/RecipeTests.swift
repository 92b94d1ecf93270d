import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// docs/recipes.md is true, and what bars follow behaves (field-issues.md E).
@Suite("Recipes", .serialized, .timeLimit(.minutes(2)))
struct RecipeTests {
    private static let recipes = {
        let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        return "/\(tests)/recipes/recipes.py"
    }()

    @Test("every command of the recipes does what the page says, with titles as VK has them")
    func document() async throws {
        let house = try await House()
        // Bars show the first 30 columns: every other title begins with the one kind.
        let markup = #"\"b\" \\c & <i>d</i>"#
        let tags = #"\u0d4e%{A1:x:}\ud804\uddc2#[fg=red]%{A}#{pid}"#
        for number in 1...3 {
            let title = "Nasty \(number) " + (number == 2 ? markup + tags : tags + markup)
            try await house.control(
                #"{"cmd":"library-add","artist":"Кино & Co","title":"\#(title)","media":"long","hls":false}"#)
        }
        try await house.startDaemon()
        try await house.signIn()
        house.environment["PATH"] = House.programs + ":/usr/bin:/bin"
        try await house.ctl("repeat", "queue")
        try #require(try await house.ctl("play", "Nasty").status == 0)
        try await house.until("it plays") { try await house.status().state == "playing" }
        let outcome = try await Program(["/usr/bin/python3", Self.recipes], environment: house.environment).outcome()
        #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
    }

    @Test("a bar's follower outlives the daemon, tells it in one line, and goes on when it is back")
    func absence() async throws {
        let house = try await House(server: nil)
        let words = [House.programs + "/nyanctl", "status", "--follow", "--format", "@waybar"]
        let follower = try Program(words, environment: house.environment)
        let empty = try #require(await follower.line())
        #expect(empty.contains(#""text":"","#) && empty.contains(#""class":"absent""#), "\(empty)")
        try await house.startDaemon()
        #expect(try #require(await follower.line()).contains(#""class":"stopped""#))
        house.daemon?.send(SIGKILL)
        #expect(try #require(await follower.line()).contains(#""class":"absent""#))
        try await house.startDaemon()
        #expect(try #require(await follower.line()).contains(#""class":"stopped""#))
        follower.send(SIGKILL)
    }
}
