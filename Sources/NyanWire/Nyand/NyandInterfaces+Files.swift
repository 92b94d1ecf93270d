public import NyanDBus

/// Files on their way into My Music and out of it.
extension NyandInterfaces {
    public nonisolated static let files = Interface(
        "org.nyantunes.Nyand1.Files",
        methods: [
            // Takes the files of a folder (an absolute path) into My Music. `named`: paths and reasons of those
            // that were skipped, not of all where they are thousands; `stopped`: code and sentence of what kept the rest from being taken, both empty = nothing did. A caller who leaves the bus
            // meanwhile stops it.
            Method(
                "Import", in: [Argument("folder", "s")],
                out: [
                    Argument("imported", "u"), Argument("known", "u"), Argument("skipped", "u"),
                    Argument("named", refusedSignature), Argument("stopped", "(ss)"),
                ]),
            // Copies finished files into a folder (an absolute path, its last element is made). `exported` counts
            // `present` in, the files that were there before; `bytes` are all of theirs. `refused`: id, reason and code.
            Method(
                "Export", in: [Argument("tracks", "as"), Argument("folder", "s")],
                out: [
                    Argument("exported", "u"), Argument("present", "u"), Argument("bytes", "x"),
                    Argument("refused", "a(sss)"), Argument("stopped", "(ss)"),
                ]),
        ],
        signals: [
            // While files are taken: how many are through, of how many; at most a few times a second. 0 of 0 when it is over.
            Signal("ImportProgress", [Argument("done", "u"), Argument("total", "u")])
        ])
}
