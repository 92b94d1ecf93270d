import FoundationEssentials
import NyanStore
import Testing

@Suite("A set of byte ranges")
struct RangeSetTests {
    @Test(
        "joins what touches or overlaps and keeps apart what does not",
        arguments: [
            ([0..<10, 10..<20], [0..<20]), ([10..<20, 0..<10], [0..<20]), ([0..<10, 11..<20], [0..<10, 11..<20]),
            ([0..<10, 20..<30, 5..<25], [0..<30]), ([0..<5, 10..<15, 20..<25, 4..<21], [0..<25]),
            ([5..<5], []), ([30..<40, 10..<20, 20..<25], [10..<25, 30..<40]), ([0..<100, 20..<30], [0..<100]),
        ] as [([Range<Int64>], [Range<Int64>])])
    func joins(input: [Range<Int64>], expected: [Range<Int64>]) {
        #expect(RangeSet(input).ranges == expected)
    }

    @Test(
        "names the gap at an offset, else the first gap at all",
        arguments: [
            (0, 100, 10, 20), (5, 100, 10, 20), (15, 100, 15, 20), (20, 100, 30, 100), (90, 100, 90, 100),
            (100, 100, 10, 20), (25, 30, 10, 20),
        ] as [(Int64, Int64, Int64, Int64)])
    func gaps(offset: Int64, size: Int64, lower: Int64, upper: Int64) {
        let gap = RangeSet([0..<10, 20..<30]).missing(from: offset, size: size)
        #expect(gap?.lower == lower)
        #expect(gap?.upper == upper)
    }

    @Test("has an open last gap while the size is unknown, and none when complete")
    func openGap() {
        let gap = RangeSet([0..<10]).missing(from: 3, size: nil)
        #expect(gap?.lower == 10 && gap?.upper == nil)
        #expect(RangeSet([0..<10]).missing(from: 0, size: 10) == nil)
        #expect(RangeSet().missing(from: 0, size: nil)?.lower == 0)
    }

    @Test("agrees with a plain array of flags over random inserts", arguments: 1...20)
    func random(seed: UInt64) throws {
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var set = RangeSet()
        var flags = [Bool](repeating: false, count: 200)
        for _ in 0..<40 {
            let lower = next(190)
            let upper = lower + next(200 - lower)
            set.insert(Int64(lower)..<Int64(upper))
            for place in lower..<upper { flags[place] = true }
        }
        #expect(set.count == Int64(flags.count { $0 }))
        for offset in 0..<200 {
            let there = flags[offset...].prefix { $0 }.count
            #expect(set.available(from: Int64(offset)) == Int64(there))
            let gap = flags[offset...].firstIndex(of: false) ?? flags.firstIndex(of: false)
            #expect(set.missing(from: Int64(offset), size: 200)?.lower == gap.map { Int64($0) })
        }
        let coded = try JSONDecoder().decode(RangeSet.self, from: JSONEncoder().encode(set))
        #expect(coded == set)
        let other = RangeSet([50..<150])
        #expect(set.intersection(other).count == Int64(flags[50..<150].count { $0 }))
    }
}
