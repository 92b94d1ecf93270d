import Glibc

/// libdbus' own judgement, to compare ours with. Looked up by name, because tests see only NyanDBus.
enum LibdbusOracle {
    private typealias Check = @convention(c) (UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> UInt32

    static func isSignature(_ text: String) -> Bool { judge("dbus_signature_validate", text) }
    static func isPath(_ text: String) -> Bool { judge("dbus_validate_path", text) }

    private static func judge(_ function: String, _ text: String) -> Bool {
        // The C functions would see only the part before a NUL.
        guard !text.utf8.contains(0), let symbol = dlsym(nil, function) else { return false }
        return unsafeBitCast(symbol, to: Check.self)(text, nil) != 0
    }
}
