/// Opens the terminal.
@MainActor enum UIScreen {
    static func open() throws(Ending) -> any Screen { throw .usage("there is no screen yet", command: "ui") }
}
