/// Writes parameters as `application/x-www-form-urlencoded` over UTF-8: letters, digits and `-._*` as they are, a space
/// as `+`, every other byte as `%XX`. What the bodies of POST calls are made of.
public enum FormBody {
    public static func encode(_ fields: [(name: String, value: String)]) -> [UInt8] {
        var body: [UInt8] = []
        for field in fields {
            if !body.isEmpty { body.append(UInt8(ascii: "&")) }
            append(field.name, to: &body)
            body.append(UInt8(ascii: "="))
            append(field.value, to: &body)
        }
        return body
    }

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    private static func append(_ text: String, to body: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "*"):
                body.append(byte)
            case UInt8(ascii: " "):
                body.append(UInt8(ascii: "+"))
            default:
                body += [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            }
        }
    }
}
