/// What is well and what is not.
extension CommandTable {
    static let doctor = [
        Command(
            name: "doctor", summary: "what is missing or broken, and what to do about it",
            arity: .none, run: DoctorCommand.run)
    ]
}
