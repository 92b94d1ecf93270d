/// The ways to sign in, for somebody who named none (vk-api.md §1.11).
@MainActor enum LoginWays {
    static let explained = """
          --cookies        the session of a browser in which you are signed in to VK: paste the cookies remixsid and p
                           (a Cookie header, a cookies.txt, or a browser extension's JSON). VK's tokens last 15 minutes;
                           nyand renews them by itself, and no password is needed. Best for daily use
          --token          a token you already have, of a VK client that has music; --profile names that client (web,
                           android, marusia). When it ends you sign in again
          --url            prints VK's authorize page; you allow the client there and paste the address it ends at. VK
                           gives music to its own clients only, and such a token may last a day
          --password USER  name and password, for a client of VK's whose id and secret are in the settings; asks for the
                           code where VK wants one. The password is not kept. VK often wants a captcha for it
        Every secret is read from standard input: a prompt on a terminal, else a pipe or a file
        """

    static func explain(_ invocation: Invocation) -> Ending {
        let sentence = "say how to sign in; for daily use take --cookies"
        if invocation.asJSON { return .usage("\(sentence)\n\(explained)", command: "login") }
        Terminal.complain(explained)
        return .usage(sentence, command: "login")
    }
}
