/// What every input does in the situations with a sound; see `SituationTableTests` for how to read a row.
extension Situation {
    /// #1 sounds.
    static let playingTable = """
        nothing | idle words, dead next, play, prepared, started, fed
        pause          | paused e2 @10          | hold, save
        toggle         | paused e2 @10          | hold, save
        stop           | stopped e2 @0          | silence, release #1, save
        next           | buffering e3 @0        | hold, find #2 e3, release #1, save
        previous       | playing e2 @0          | seek @0, save
        seek +5        | playing e2 @15         | seek @15, save
        seek -99       | playing e2 @0          | seek @0, save
        seek +999      | buffering e3 @0        | hold, find #2 e3, release #1, save
        seek to 30     | playing e2 @30         | seek @30, save
        volume 0.5     | playing e2 @10         | volume 0.5, save
        shuffle on     | playing e2 @10         | save
        repeat track   | playing e2 @10         | save
        repeat queue   | playing e2 @10         | save
        play tracks    | buffering e5 @0        | hold, find #2 e5, release #1, save
        go e1          | buffering e1 @0        | hold, find #2 e1, release #1, save
        go e2          | buffering e2 @0        | hold, find #2 e2, release #1, jump @0, save
        add            | playing e2 @10         | save
        add next       | playing e2 @10         | save
        remove e1      | playing e2 @10         | save
        remove e2      | buffering e3 @0        | hold, find #2 e3, release #1, save
        remove e3      | playing e2 @10         | save
        remove e2 e3   | stopped e1 @0          | silence, release #1, save
        move e3 first  | playing e2 @10         | save
        clear          | stopped – @0           | silence, release #1, save
        refused        | buffering e3 @0 !network | hold, find #2 e3, release #1, save
        bytes complete | playing e2 @10         | find #2 e3 next
        near end       | playing e2 @10         | find #2 e3 next
        report 12      | playing e2 @12         | jump @12
        length 100     | playing e2 @10         | -
        hungry         | buffering e2 @9        | -
        seeked         | playing e2 @21         | jump @21
        ended          | buffering e3 @0        | find #2 e3, release #1, save
        failed         | buffering e3 @0 !damaged-sound | find #2 e3, release #1, save
        no output      | paused e2 @10 !audio-output | silence, release #1, save
        volume moved   | playing e2 @10         | save
        output lost    | paused e2 @10 !audio-output | hold, save
        output missing | playing e2 @10         | -
        track changed  | playing e2 @10         | save
        """

    /// #1 is loaded and paused at 10 s.
    static let pausedTable = """
        nothing | idle words, dead next, pause, prepared, report 12, started, fed
        play           | playing e2 @10         | run
        toggle         | playing e2 @10         | run
        stop           | stopped e2 @0          | silence, release #1, save
        next           | paused e3 @0           | silence, release #1, save
        previous       | paused e2 @0           | seek @0, save
        seek +5        | paused e2 @15          | seek @15, save
        seek -99       | paused e2 @0           | seek @0, save
        seek +999      | paused e3 @0           | silence, release #1, save
        seek to 30     | paused e2 @30          | seek @30, save
        volume 0.5     | paused e2 @10          | volume 0.5, save
        shuffle on     | paused e2 @10          | save
        repeat track   | paused e2 @10          | save
        repeat queue   | paused e2 @10          | save
        play tracks    | buffering e5 @0        | find #2 e5, release #1, save
        go e1          | buffering e1 @0        | find #2 e1, release #1, save
        go e2          | buffering e2 @0        | find #2 e2, release #1, jump @0, save
        add            | paused e2 @10          | save
        add next       | paused e2 @10          | save
        remove e1      | paused e2 @10          | save
        remove e2      | paused e3 @0           | silence, release #1, save
        remove e3      | paused e2 @10          | save
        remove e2 e3   | stopped e1 @0          | silence, release #1, save
        move e3 first  | paused e2 @10          | save
        clear          | stopped – @0           | silence, release #1, save
        refused        | paused e2 @10 !network | silence, release #1, save
        bytes complete | paused e2 @10          | find #2 e3 next
        near end       | paused e2 @10          | find #2 e3 next
        length 100     | paused e2 @10          | -
        hungry         | paused e2 @9           | -
        seeked         | paused e2 @21          | jump @21
        ended          | paused e3 @0           | silence, release #1, save
        failed         | paused e2 @10 !damaged-sound | silence, release #1, save
        no output      | paused e2 @10 !audio-output | silence, release #1, save
        volume moved   | paused e2 @10          | save
        output lost    | paused e2 @10          | -
        output missing | paused e2 @10          | -
        track changed  | paused e2 @10          | save
        """

    /// The feed of #1 ran dry at 10 s.
    static let bufferingTable = """
        nothing | idle words, dead next, play, prepared, report 12
        pause          | paused e2 @10          | hold, save
        toggle         | paused e2 @10          | hold, save
        stop           | stopped e2 @0          | silence, release #1, save
        next           | buffering e3 @0        | hold, find #2 e3, release #1, save
        previous       | buffering e2 @0        | seek @0, save
        seek +5        | buffering e2 @15       | seek @15, save
        seek -99       | buffering e2 @0        | seek @0, save
        seek +999      | buffering e3 @0        | hold, find #2 e3, release #1, save
        seek to 30     | buffering e2 @30       | seek @30, save
        volume 0.5     | buffering e2 @10       | volume 0.5, save
        shuffle on     | buffering e2 @10       | save
        repeat track   | buffering e2 @10       | save
        repeat queue   | buffering e2 @10       | save
        play tracks    | buffering e5 @0        | hold, find #2 e5, release #1, save
        go e1          | buffering e1 @0        | hold, find #2 e1, release #1, save
        go e2          | buffering e2 @0        | hold, find #2 e2, release #1, jump @0, save
        add            | buffering e2 @10       | save
        add next       | buffering e2 @10       | save
        remove e1      | buffering e2 @10       | save
        remove e2      | buffering e3 @0        | hold, find #2 e3, release #1, save
        remove e3      | buffering e2 @10       | save
        remove e2 e3   | stopped e1 @0          | silence, release #1, save
        move e3 first  | buffering e2 @10       | save
        clear          | stopped – @0           | silence, release #1, save
        refused        | buffering e3 @0 !network | hold, find #2 e3, release #1, save
        bytes complete | buffering e2 @10       | find #2 e3 next
        near end       | buffering e2 @10       | find #2 e3 next
        started        | playing e2 @10         | -
        length 100     | buffering e2 @10       | -
        hungry         | buffering e2 @9        | -
        fed            | playing e2 @11         | -
        seeked         | buffering e2 @21       | jump @21
        ended          | buffering e3 @0        | find #2 e3, release #1, save
        failed         | buffering e3 @0 !damaged-sound | find #2 e3, release #1, save
        no output      | paused e2 @10 !audio-output | silence, release #1, save
        volume moved   | buffering e2 @10       | save
        output lost    | paused e2 @10 !audio-output | hold, save
        output missing | buffering e2 @10       | -
        track changed  | buffering e2 @10       | save
        """

    /// #1 was asked to go from 10 s to 20 s and has not answered.
    static let seekingTable = """
        nothing | idle words, dead next, play, prepared, report 12, started, fed
        pause          | paused e2 @20          | hold, save
        toggle         | paused e2 @20          | hold, save
        stop           | stopped e2 @0          | silence, release #1, save
        next           | buffering e3 @0        | hold, find #2 e3, release #1, save
        previous       | playing e2 @0          | save
        seek +5        | playing e2 @25         | save
        seek -99       | playing e2 @0          | save
        seek +999      | buffering e3 @0        | hold, find #2 e3, release #1, save
        seek to 30     | playing e2 @30         | save
        volume 0.5     | playing e2 @20         | volume 0.5, save
        shuffle on     | playing e2 @20         | save
        repeat track   | playing e2 @20         | save
        repeat queue   | playing e2 @20         | save
        play tracks    | buffering e5 @0        | hold, find #2 e5, release #1, save
        go e1          | buffering e1 @0        | hold, find #2 e1, release #1, save
        go e2          | buffering e2 @0        | hold, find #2 e2, release #1, jump @0, save
        add            | playing e2 @20         | save
        add next       | playing e2 @20         | save
        remove e1      | playing e2 @20         | save
        remove e2      | buffering e3 @0        | hold, find #2 e3, release #1, save
        remove e3      | playing e2 @20         | save
        remove e2 e3   | stopped e1 @0          | silence, release #1, save
        move e3 first  | playing e2 @20         | save
        clear          | stopped – @0           | silence, release #1, save
        refused        | buffering e3 @0 !network | hold, find #2 e3, release #1, save
        bytes complete | playing e2 @20         | find #2 e3 next
        near end       | playing e2 @20         | find #2 e3 next
        length 100     | playing e2 @20         | -
        hungry         | buffering e2 @20       | -
        seeked         | playing e2 @21         | jump @21, save
        ended          | buffering e3 @0        | find #2 e3, release #1, save
        failed         | buffering e3 @0 !damaged-sound | find #2 e3, release #1, save
        no output      | paused e2 @20 !audio-output | silence, release #1, save
        volume moved   | playing e2 @20         | save
        output lost    | paused e2 @20 !audio-output | hold, save
        output missing | playing e2 @20         | -
        track changed  | playing e2 @20         | save
        """
}
