import NyanWords

/// Sizes for people: `512 B`, `3.4 MB`; powers of ten.
enum ByteText {
    static func text(_ bytes: Int64) -> String {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var value = Double(max(0, bytes))
        var unit = 0
        while value >= 1000 && unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        guard unit > 0, value < 100 else { return Words.said("\(Int(value)) \(units[unit])") }
        let tenths = Int(value * 10)
        return Words.said("\(tenths / 10).\(tenths % 10) \(units[unit])")
    }
}

extension ByteText {
    /// A part and the whole: `3.4/7.6 MB`, `512 kB/7.6 MB`.
    static func part(_ bytes: Int64, of total: Int64) -> String {
        let (part, whole) = (text(bytes), text(total))
        guard let gap = part.lastIndex(of: " "), whole.hasSuffix(part[gap...]) else { return "\(part)/\(whole)" }
        return "\(part[..<gap])/\(whole)"
    }
}
