import NyanCore
public import NyanDBus
import NyanWire

/// `org.nyantunes.Nyand1.People`.
public final class PeopleFrontend: InterfaceHandler {
    private let people: PeopleService

    public init(people: PeopleService) { self.people = people }

    public func call(_ member: String, _ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
        switch member {
        case "Friends", "Groups":
            .working { [people] () throws(Failure) in
                [PersonCoding.list(try await people.people(member == "Friends" ? .friends : .groups))]
            }
        case "Resolve":
            .working { [people] () throws(Failure) in
                [.int64(try await people.owner(named: arguments[0].string ?? ""))]
            }
        default: throw .unknownMethod(member)
        }
    }
}
