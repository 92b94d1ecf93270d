import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Keep`: what is always offline.
public final class KeepFrontend: InterfaceHandler {
    private let keep: KeepService

    public init(keep: KeepService) { self.keep = keep }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        .working { [keep] () throws(Failure) in
            guard member != "List" else { return [KeepCoding.list(try await keep.rules())] }
            let text = arguments[0].string ?? ""
            guard let list = KeptList(text) else {
                throw Failure(
                    .badArgument, "“\(text.prefix(80))” is neither “profile” nor a playlist such as 123456_17")
            }
            switch member {
            case "Keep":
                let kept = try await keep.keep(list, key: PlaylistReference(text)?.accessKey)
                return [
                    KeepCoding.value(kept.rule), .uint32(UInt32(clamping: kept.queued)), .string(kept.notice ?? ""),
                ]
            case "Preview":
                let (files, bytes) = try await keep.preview(list)
                return [.uint32(UInt32(clamping: files)), .int64(bytes)]
            case "Unkeep":
                let outcome = try await keep.unkeep(list, deleting: arguments[1].bool ?? false)
                return [
                    .uint32(UInt32(clamping: outcome.cancelled)), .uint32(UInt32(clamping: outcome.deleted)),
                    .int64(outcome.freed), .uint32(UInt32(clamping: outcome.staying)),
                ]
            default: throw Failure(.internal, "no such call: \(member)")
            }
        }
    }
}
