import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.Doctor`: what is well and what is not.
public final class DoctorFrontend: InterfaceHandler {
    private let doctor: DoctorService

    public init(doctor: DoctorService) { self.doctor = doctor }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        guard member == "Examine" else { throw .unknownMethod(member) }
        return .later { [doctor] () async throws(BusError) in [FindingCoding.list(await doctor.examine())] }
    }
}
