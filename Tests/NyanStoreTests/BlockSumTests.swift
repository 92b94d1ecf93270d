import Testing

@testable import NyanStore

@Suite("The sum of a block")
struct BlockSumTests {
    private func sum(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { BlockSums.sum($0) } }

    @Test("it shows every single byte that changed", arguments: [1, 7, 8, 31, 32, 33, 100, 1000])
    func change(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let before = sum(bytes)
        for place in bytes.indices {
            for bit in [UInt8(1), 0x80] {
                var other = bytes
                other[place] ^= bit
                #expect(sum(other) != before)
            }
        }
    }

    @Test("it shows zeros in place of sound, their number, and pieces that changed places")
    func accidents() {
        let zeros = (0..<100).map { sum([UInt8](repeating: 0, count: $0)) }
        #expect(Set(zeros).count == 100)
        let bytes = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        for step in [8, 32, 512] {
            let swapped = Array(bytes[step..<2 * step] + bytes[..<step] + bytes[(2 * step)...])
            #expect(sum(swapped) != sum(bytes))
        }
    }

    @Test("it is the same on every machine: sidecars outlive an update")
    func fixed() {
        let bytes = (0..<100).map { UInt8($0) }
        #expect(String(sum(bytes), radix: 16) == "c9ba604cf12947be")
    }
}
