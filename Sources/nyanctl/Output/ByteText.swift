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
        guard unit > 0, value < 100 else { return "\(Int(value)) \(units[unit])" }
        let tenths = Int(value * 10)
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}
