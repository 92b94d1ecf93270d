import NyanDBus
import Testing

@Suite struct SignatureTests {
    nonisolated static let valid = [
        "", "s", "sa{sv}as", "a(xsssuuba{sv})", "v", "ay", "a{s(iu)}", "aaaai", "(i)", "((((i))))", "a{oa{sa{sv}}}",
        "h",
        String(repeating: "a", count: 32) + "i",
        String(repeating: "(", count: 32) + "i" + String(repeating: ")", count: 32),
        String(repeating: "s", count: 255),
    ]
    nonisolated static let invalid = [
        "a", "()", "(", ")", "(i", "i)", "{sv}", "a{vs}", "a{s}", "a{sii}", "a{(i)s}", "z", "s\0", "é", "a{s", "a{sv",
        String(repeating: "a", count: 33) + "i",
        String(repeating: "(", count: 33) + "i" + String(repeating: ")", count: 33), String(repeating: "s", count: 256),
        "r", "e", "m",
    ]

    @Test("A signature is taken exactly when libdbus takes it", arguments: valid + invalid)
    func agreesWithLibdbus(text: String) {
        let theirs = LibdbusOracle.isSignature(text)
        #expect((Signature(text) != nil) == theirs)
        #expect(theirs == Self.valid.contains(text))
    }

    @Test("Random letters are judged as libdbus judges them")
    func agreesOnRandomText() {
        var random = SeededGenerator(seed: 7)
        let letters = Array("ybnqiuxtdsoghva(){}z")
        var taken = 0
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 1...7, using: &random)).map { _ in letters.randomElement(using: &random) ?? "y" })
            let ours = Signature(text)
            #expect((ours != nil) == LibdbusOracle.isSignature(text), "\(text)")
            if let ours {
                taken += 1
                #expect(ours.text == text)
            }
        }
        #expect(taken > 100)
    }

    @Test(
        "A value's signature is what it is made of",
        arguments: [
            (BusValue.strings(["a"]), "as"), (.strings([]), "as"), (.dictionary(["k": .int32(1)]), "a{sv}"),
            (.dictionaries([]), "aa{sv}"), (.structure([.byte(1), .strings([])]), "(yas)"), (.bytes([1]), "ay"),
            (.variant(.int64(1)), "v"), (.array([], of: "(sa{sv})"), "a(sa{sv})"),
        ])
    func signatureOfValue(value: BusValue, text: String) {
        #expect(value.signatureOfValue.text == text)
    }
}

@Suite struct ObjectPathTests {
    @Test(
        "A path is taken exactly when libdbus takes it",
        arguments: [
            "/", "/a", "/a/b_1", "", "a", "/a/", "//", "/a//b", "/a-b", "/é", "/a b", "/a\0b", "/org/x/2001_456",
        ])
    func agreesWithLibdbus(text: String) {
        let theirs = LibdbusOracle.isPath(text)
        #expect((ObjectPath(text) != nil) == theirs)
    }

    @Test(
        "Escaping keeps different elements different and can be undone", arguments: ["-2001_456", "", "_", "é/..", "a"])
    func escapes(element: String) {
        let path = ObjectPath.root.appending(escaping: element)
        #expect(LibdbusOracle.isPath(path.text))
        #expect(path.unescapedLastElement == element)
    }

    @Test("A path is within itself and its parents, not within a path it only begins like")
    func within() {
        let path: ObjectPath = "/org/nyan"
        #expect(path.isWithin("/org/nyan") && path.isWithin("/org") && path.isWithin("/"))
        #expect(!path.isWithin("/org/ny"))
        #expect(!path.isWithin("/org/nyan/x"))
    }
}

/// The same numbers in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
