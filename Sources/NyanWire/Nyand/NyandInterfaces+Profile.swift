public import NyanDBus

/// Changing the VK profile, and whose music may be listed.
extension NyandInterfaces {
    public nonisolated static let profile = Interface(
        "org.nyantunes.Nyand1.Profile",
        methods: [
            // `added`: ids of the new copies; `present`: what was there already, as asked for; `refused`: ids and
            // reasons; `stopped`: code and sentence of what kept the rest from being tried, both empty = nothing did.
            // One track alone that cannot be added is an error.
            Method("Add", in: [Argument("tracks", "as")], out: addOutcome),
            // The same for the current track.
            Method("Like", out: addOutcome),
            // `removed`: the profile's own ids, which `Restore` takes.
            Method(
                "Remove", in: [Argument("tracks", "as")],
                out: [
                    Argument("removed", "as"), Argument("refused", refusedSignature), Argument("stopped", "(ss)"),
                ]),
            // The profile's own id, and whether it was there all the time.
            Method("Restore", in: [Argument("track", "s")], out: [Argument("id", "s"), Argument("wasThere", "b")]),
        ])

    private nonisolated static let addOutcome = [
        Argument("added", "as"), Argument("present", "as"), Argument("refused", refusedSignature),
        Argument("stopped", "(ss)"),
    ]

    public nonisolated static let people = Interface(
        "org.nyantunes.Nyand1.People",
        methods: [
            // id (negative for groups), name, screen name, whether music can be listed, else why not.
            Method("Friends", out: [Argument("people", PersonCoding.listSignature)]),
            Method("Groups", out: [Argument("people", PersonCoding.listSignature)]),
            // The owner of a screen name such as `durov`.
            Method("Resolve", in: [Argument("name", "s")], out: [Argument("owner", "x")]),
        ])
}
