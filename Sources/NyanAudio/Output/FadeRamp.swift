/// How samples lie in a buffer, as far as we can scale them.
nonisolated enum SampleFormat: Sendable, Equatable {
    case int16, int24, int32, float32, float64

    /// By GStreamer's name, of this machine's byte order; nil for what is scaled nowhere (it is rare at sinks).
    init?(_ name: String) {
        let order = 1.littleEndian == 1 ? "LE" : "BE"
        switch name {
        case "S16\(order)": self = .int16
        case "S24LE" where order == "LE": self = .int24
        case "S32\(order)", "S24_32\(order)": self = .int32
        case "F32\(order)": self = .float32
        case "F64\(order)": self = .float64
        default: return nil
        }
    }

    var bytes: Int {
        switch self {
        case .int16: 2
        case .int24: 3
        case .int32, .float32: 4
        case .float64: 8
        }
    }
}

/// A way down to silence, frame by frame: never above what came in, and silent for ever once it is there.
nonisolated struct FadeRamp: Sendable, Equatable {
    /// Seconds of sound from full level to silence.
    let length: Double
    /// Seconds of sound that have passed.
    private(set) var passed = 0.0

    init(length: Double) { self.length = max(length, 0.001) }

    /// What a sample is multiplied with now. The square sounds even, where a straight line seems to fall late.
    var factor: Double {
        let rest = max(0, 1 - passed / length)
        return rest * rest
    }

    /// Scales whole frames where they are.
    mutating func scale(_ bytes: UnsafeMutableRawBufferPointer, _ format: SampleFormat, channels: Int, rate: Int) {
        let frame = format.bytes * max(1, channels)
        let step = 1 / Double(max(1, rate))
        for start in stride(from: 0, to: bytes.count - frame + 1, by: frame) {
            let factor = factor
            for place in stride(from: start, to: start + frame, by: format.bytes) {
                Self.scale(bytes, place, format, factor)
            }
            passed += step
        }
    }

    private static func scale(
        _ bytes: UnsafeMutableRawBufferPointer, _ place: Int, _ format: SampleFormat, _ factor: Double
    ) {
        // Whole numbers are cut towards zero, which is never louder.
        func change<Sample: BinaryInteger & BitwiseCopyable>(_ type: Sample.Type) {
            let sample = bytes.loadUnaligned(fromByteOffset: place, as: type)
            bytes.storeBytes(of: Sample(Double(sample) * factor), toByteOffset: place, as: type)
        }
        switch format {
        case .int16: change(Int16.self)
        case .int32: change(Int32.self)
        case .int24:
            let low = Int32(bytes[place]) | Int32(bytes[place + 1]) << 8
            let sample = low | Int32(Int8(bitPattern: bytes[place + 2])) << 16
            let scaled = Int32(Double(sample) * factor)
            for byte in 0..<3 { bytes[place + byte] = UInt8(truncatingIfNeeded: scaled >> (8 * Int32(byte))) }
        case .float32:
            let sample = bytes.loadUnaligned(fromByteOffset: place, as: Float.self)
            bytes.storeBytes(of: sample * Float(factor), toByteOffset: place, as: Float.self)
        case .float64:
            let sample = bytes.loadUnaligned(fromByteOffset: place, as: Double.self)
            bytes.storeBytes(of: sample * factor, toByteOffset: place, as: Double.self)
        }
    }
}
