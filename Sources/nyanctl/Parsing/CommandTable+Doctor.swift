/// What is well and what is not.
extension CommandTable {
    static let doctor = [
        Command(
            name: "doctor", summary: "check decoders, sound, bus, keyring, account, network, disk, unit and settings",
            arity: .none, run: DoctorCommand.run)
    ]
}
