import NyanWire
import Testing

@Suite("Completion on the bus")
struct CompletionInterfaceTests {
    @Test("Completion")
    func completion() {
        #expect(
            shape(NyandInterfaces.completion) == ["Offer(kind:s text:s ids:as limit:u) -> (offers:a(ss))"])
    }
}
