/// What every input does in the situations without sound; see `SituationTableTests` for how to read a row.
extension Situation {
    /// No entries: nothing to play, and nothing that could be refused with an error.
    static let emptyTable = """
        nothing | idle words, dead current, dead next, play, pause, toggle, stop, next, previous, seek +5
        nothing | seek -99, seek +999, seek to 30, go e1, go e2, remove e1, remove e2, remove e3
        nothing | remove e2 e3, move e3 first, clear, track changed
        volume 0.5     | stopped – @0           | volume 0.5, save
        shuffle on     | stopped – @0           | save
        repeat track   | stopped – @0           | save
        repeat queue   | stopped – @0           | save
        play tracks    | buffering e2 @0        | find #1 e2, save
        add            | stopped e1 @0          | save
        add next       | stopped e1 @0          | save
        volume moved   | stopped – @0           | save
        output lost    | stopped – @0           | -
        output missing | stopped – @0           | -
        """

    /// Stopped on e2. Transport keeps it stopped, seeks do nothing (mpris.md §4.2).
    static let stoppedTable = """
        nothing | idle words, dead current, dead next, pause, stop, seek +5, seek -99, seek +999, seek to 30
        play           | buffering e2 @0        | find #2 e2, save
        toggle         | buffering e2 @0        | find #2 e2, save
        next           | stopped e3 @0          | save
        previous       | stopped e1 @0          | save
        volume 0.5     | stopped e2 @0          | volume 0.5, save
        shuffle on     | stopped e2 @0          | save
        repeat track   | stopped e2 @0          | save
        repeat queue   | stopped e2 @0          | save
        play tracks    | buffering e5 @0        | find #2 e5, save
        go e1          | buffering e1 @0        | find #2 e1, save
        go e2          | buffering e2 @0        | find #2 e2, save
        add            | stopped e2 @0          | save
        add next       | stopped e2 @0          | save
        remove e1      | stopped e2 @0          | save
        remove e2      | stopped e3 @0          | save
        remove e3      | stopped e2 @0          | save
        remove e2 e3   | stopped e1 @0          | save
        move e3 first  | stopped e2 @0          | save
        clear          | stopped – @0           | save
        volume moved   | stopped e2 @0          | save
        output lost    | stopped e2 @0          | -
        output missing | stopped e2 @0          | -
        track changed  | stopped e2 @0          | save
        """

    /// Restarted on e2 at 10 s: paused, without any load until `play`.
    static let restoredTable = """
        nothing | idle words, dead current, dead next, pause
        play           | buffering e2 @10       | find #1 e2, save
        toggle         | buffering e2 @10       | find #1 e2, save
        stop           | stopped e2 @0          | save
        next           | paused e3 @0           | save
        previous       | paused e2 @0           | jump @0, save
        seek +5        | paused e2 @15          | jump @15, save
        seek -99       | paused e2 @0           | jump @0, save
        seek +999      | paused e3 @0           | save
        seek to 30     | paused e2 @30          | jump @30, save
        volume 0.5     | paused e2 @10          | volume 0.5, save
        shuffle on     | paused e2 @10          | save
        repeat track   | paused e2 @10          | save
        repeat queue   | paused e2 @10          | save
        play tracks    | buffering e5 @0        | find #1 e5, save
        go e1          | buffering e1 @0        | find #1 e1, save
        go e2          | buffering e2 @0        | find #1 e2, jump @0, save
        add            | paused e2 @10          | save
        add next       | paused e2 @10          | save
        remove e1      | paused e2 @10          | save
        remove e2      | paused e3 @0           | save
        remove e3      | paused e2 @10          | save
        remove e2 e3   | stopped e1 @0          | save
        move e3 first  | paused e2 @10          | save
        clear          | stopped – @0           | save
        volume moved   | paused e2 @10          | save
        output lost    | paused e2 @10          | -
        output missing | paused e2 @10          | -
        track changed  | paused e2 @10          | save
        """

    /// Playing is wished, the bytes of #1 are being found.
    static let preparingTable = """
        nothing | idle words, dead next, play, bytes complete, near end, report 12, started, hungry, fed
        nothing | seeked, ended
        pause          | paused e2 @0           | save
        toggle         | paused e2 @0           | save
        stop           | stopped e2 @0          | release #1, save
        next           | buffering e3 @0        | find #2 e3, release #1, save
        previous       | buffering e1 @0        | find #2 e1, release #1, save
        seek +5        | buffering e2 @5        | jump @5, save
        seek -99       | buffering e2 @0        | jump @0, save
        seek +999      | buffering e3 @0        | find #2 e3, release #1, save
        seek to 30     | buffering e2 @30       | jump @30, save
        volume 0.5     | buffering e2 @0        | volume 0.5, save
        shuffle on     | buffering e2 @0        | save
        repeat track   | buffering e2 @0        | save
        repeat queue   | buffering e2 @0        | save
        play tracks    | buffering e5 @0        | find #2 e5, release #1, save
        go e1          | buffering e1 @0        | find #2 e1, release #1, save
        go e2          | buffering e2 @0        | find #2 e2, release #1, save
        add            | buffering e2 @0        | save
        add next       | buffering e2 @0        | save
        remove e1      | buffering e2 @0        | save
        remove e2      | buffering e3 @0        | find #2 e3, release #1, save
        remove e3      | buffering e2 @0        | save
        remove e2 e3   | stopped e1 @0          | release #1, save
        move e3 first  | buffering e2 @0        | save
        clear          | stopped – @0           | release #1, save
        prepared       | buffering e2 @0        | volume 1.0, load #1 @0 playing
        refused        | buffering e3 @0 !network | find #2 e3, release #1, save
        length 100     | buffering e2 @0        | -
        failed         | buffering e3 @0 !damaged-sound | find #2 e3, release #1, save
        no output      | paused e2 @0 !audio-output | release #1, save
        volume moved   | buffering e2 @0        | save
        output lost    | paused e2 @0 !audio-output | save
        output missing | buffering e2 @0        | -
        track changed  | buffering e2 @0        | save
        """

    /// #1 was handed to the engine, nothing is heard yet.
    static let loadingTable = """
        nothing | idle words, dead next, play, prepared, bytes complete, near end, report 12
        nothing | hungry, fed, seeked
        pause          | paused e2 @0           | hold, save
        toggle         | paused e2 @0           | hold, save
        stop           | stopped e2 @0          | silence, release #1, save
        next           | buffering e3 @0        | hold, find #2 e3, release #1, save
        previous       | buffering e1 @0        | hold, find #2 e1, release #1, save
        seek +5        | buffering e2 @5        | save
        seek -99       | buffering e2 @0        | save
        seek +999      | buffering e3 @0        | hold, find #2 e3, release #1, save
        seek to 30     | buffering e2 @30       | save
        volume 0.5     | buffering e2 @0        | volume 0.5, save
        shuffle on     | buffering e2 @0        | save
        repeat track   | buffering e2 @0        | save
        repeat queue   | buffering e2 @0        | save
        play tracks    | buffering e5 @0        | hold, find #2 e5, release #1, save
        go e1          | buffering e1 @0        | hold, find #2 e1, release #1, save
        go e2          | buffering e2 @0        | hold, find #2 e2, release #1, save
        add            | buffering e2 @0        | save
        add next       | buffering e2 @0        | save
        remove e1      | buffering e2 @0        | save
        remove e2      | buffering e3 @0        | hold, find #2 e3, release #1, save
        remove e3      | buffering e2 @0        | save
        remove e2 e3   | stopped e1 @0          | silence, release #1, save
        move e3 first  | buffering e2 @0        | save
        clear          | stopped – @0           | silence, release #1, save
        refused        | buffering e3 @0 !network | hold, find #2 e3, release #1, save
        started        | playing e2 @0          | -
        length 100     | buffering e2 @0        | -
        ended          | buffering e3 @0 !damaged-sound | find #2 e3, release #1, save
        failed         | buffering e3 @0 !damaged-sound | find #2 e3, release #1, save
        no output      | paused e2 @0 !audio-output | silence, release #1, save
        volume moved   | buffering e2 @0        | save
        output lost    | paused e2 @0 !audio-output | hold, save
        output missing | buffering e2 @0        | -
        track changed  | buffering e2 @0        | save
        """
}
