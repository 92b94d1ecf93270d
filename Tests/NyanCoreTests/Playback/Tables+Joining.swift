/// What every input does in the situations with a next sound; see `SituationTableTests` for how to read a row.
extension Situation {
    /// #1 sounds, and #2, for e3, is being found.
    static let findingTable = """
        nothing | idle words, play, prepared, bytes complete, near end, started, fed, next bytes complete
        nothing | next near end, next report 12, next started, next length 100, next hungry, next fed
        nothing | next seeked, next ended
        pause          | paused e2 @10          | hold, save
        toggle         | paused e2 @10          | hold, save
        stop           | stopped e2 @0          | silence, release #1, release #2, save
        next           | buffering e3 @0        | hold, find #3 e3, release #1, release #2, save
        previous       | playing e2 @0          | seek @0, save
        seek +5        | playing e2 @15         | seek @15, save
        seek -99       | playing e2 @0          | seek @0, save
        seek +999      | buffering e3 @0        | hold, find #3 e3, release #1, release #2, save
        seek to 30     | playing e2 @30         | seek @30, save
        volume 0.5     | playing e2 @10         | volume 0.5, save
        shuffle on     | playing e2 @10         | save
        repeat track   | playing e2 @10         | release #2, find #3 e2 next, save
        repeat queue   | playing e2 @10         | save
        play tracks    | buffering e5 @0        | hold, find #3 e5, release #1, release #2, save
        go e1          | buffering e1 @0        | hold, find #3 e1, release #1, release #2, save
        go e2          | buffering e2 @0        | hold, find #3 e2, release #1, release #2, jump @0, save
        add            | playing e2 @10         | save
        add next       | playing e2 @10         | release #2, find #3 e4 next, save
        remove e1      | playing e2 @10         | save
        remove e2      | buffering e3 @0        | hold, find #3 e3, release #1, release #2, save
        remove e3      | playing e2 @10         | release #2, save
        remove e2 e3   | stopped e1 @0          | silence, release #1, release #2, save
        move e3 first  | playing e2 @10         | release #2, save
        clear          | stopped – @0           | silence, release #1, release #2, save
        refused        | buffering e3 @0 !network | hold, find #3 e3, release #1, release #2, save
        report 12      | playing e2 @12         | jump @12
        length 100     | playing e2 @10         | -
        hungry         | buffering e2 @9        | -
        seeked         | playing e2 @21         | jump @21
        ended          | buffering e3 @0        | find #3 e3, release #1, release #2, save
        failed         | buffering e3 @0 !damaged-sound | find #3 e3, release #1, release #2, save
        no output      | paused e2 @10 !audio-output | silence, release #1, release #2, save
        next prepared  | playing e2 @10         | stage #2
        next refused   | playing e2 @10 !unavailable-track | release #2
        next failed    | playing e2 @10 !damaged-sound | release #2
        volume moved   | playing e2 @10         | save
        output lost    | paused e2 @10 !audio-output | hold, save
        output missing | playing e2 @10         | -
        track changed  | playing e2 @10         | save
        """

    /// #1 sounds, and #2, for e3, is joined to its end.
    static let stagedTable = """
        nothing | idle words, play, prepared, bytes complete, near end, started, fed, next prepared
        nothing | next bytes complete, next near end, next report 12, next length 100, next hungry, next fed
        nothing | next seeked, next ended
        pause          | paused e2 @10          | hold, save
        toggle         | paused e2 @10          | hold, save
        stop           | stopped e2 @0          | silence, release #1, release #2, save
        next           | buffering e3 @0        | hold, find #3 e3, release #1, release #2, save
        previous       | playing e2 @0          | seek @0, save
        seek +5        | playing e2 @15         | seek @15, save
        seek -99       | playing e2 @0          | seek @0, save
        seek +999      | buffering e3 @0        | hold, find #3 e3, release #1, release #2, save
        seek to 30     | playing e2 @30         | seek @30, save
        volume 0.5     | playing e2 @10         | volume 0.5, save
        shuffle on     | playing e2 @10         | save
        repeat track   | playing e2 @10         | unstage, release #2, find #3 e2 next, save
        repeat queue   | playing e2 @10         | save
        play tracks    | buffering e5 @0        | hold, find #3 e5, release #1, release #2, save
        go e1          | buffering e1 @0        | hold, find #3 e1, release #1, release #2, save
        go e2          | buffering e2 @0        | hold, find #3 e2, release #1, release #2, jump @0, save
        add            | playing e2 @10         | save
        add next       | playing e2 @10         | unstage, release #2, find #3 e4 next, save
        remove e1      | playing e2 @10         | save
        remove e2      | buffering e3 @0        | hold, find #3 e3, release #1, release #2, save
        remove e3      | playing e2 @10         | unstage, release #2, save
        remove e2 e3   | stopped e1 @0          | silence, release #1, release #2, save
        move e3 first  | playing e2 @10         | unstage, release #2, save
        clear          | stopped – @0           | silence, release #1, release #2, save
        refused        | buffering e3 @0 !network | hold, find #3 e3, release #1, release #2, save
        report 12      | playing e2 @12         | jump @12
        length 100     | playing e2 @10         | -
        hungry         | buffering e2 @9        | -
        seeked         | playing e2 @21         | jump @21
        ended          | buffering e3 @0        | find #3 e3, release #1, release #2, save
        failed         | buffering e3 @0 !damaged-sound | find #3 e3, release #1, release #2, save
        no output      | paused e2 @10 !audio-output | silence, release #1, release #2, save
        next refused   | playing e2 @10 !unavailable-track | unstage, release #2
        next started   | playing e3 @0          | release #1, save
        next failed    | playing e2 @10 !damaged-sound | unstage, release #2
        volume moved   | playing e2 @10         | save
        output lost    | paused e2 @10 !audio-output | hold, save
        output missing | playing e2 @10         | -
        track changed  | playing e2 @10         | save
        """
}
