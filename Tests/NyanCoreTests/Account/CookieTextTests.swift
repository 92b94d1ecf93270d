import NyanCore
import Testing

/// A text a person can copy out of a browser.
struct CookieSample: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var testDescription: String { name }
}

private let sid = "SIDsidSID_-%2F0"
private let pp = "PppP123"

private let copied: [CookieSample] = [
    .init(name: "a header's value", text: "remixlang=0; remixsid=\(sid); p=\(pp)"),
    .init(name: "a header with its name", text: "Cookie: remixsid=\(sid); p=\(pp)\n"),
    .init(name: "a lower-case header", text: "cookie:remixsid=\(sid);p=\(pp);"),
    .init(name: "a header among others", text: "Host: login.vk.ru\r\nCookie: p=\(pp); remixsid=\(sid)\r\nP: p=x\r\n"),
    .init(
        name: "curl's words",
        text: "curl 'https://vk.ru/' \\\n  -H 'accept: a' \\\n  -H 'cookie: remixsid=\(sid); p=\(pp)' \\\n"),
    .init(name: "curl's -b", text: "  -b 'remixsid=\(sid); p=\(pp)' \\\n"),
    .init(name: "quotes around it", text: "\"remixsid=\(sid); p=\(pp)\""),
    .init(name: "quotes around values", text: "remixsid=\"\(sid)\"; p='\(pp)'"),
    .init(name: "blanks and line ends", text: "  \n\tremixsid = \(sid) ;\n p=\(pp)  \n\n"),
    .init(name: "marks of a paste", text: "\u{1b}[200~remixsid=\(sid); p=\(pp)\u{1b}[201~"),
    .init(
        name: "cookies.txt",
        text: "# Netscape HTTP Cookie File\n#HttpOnly_.vk.ru\tTRUE\t/\tTRUE\t1790000000\tremixsid\t\(sid)\n"
            + "#HttpOnly_.login.vk.ru\tTRUE\t/\tTRUE\t0\tp\t\(pp)\n"),
    .init(
        name: "cookies.txt of a whole browser",
        text: ".mail.example\tTRUE\t/\tFALSE\t1\tp\tforeign\r\n.vk.com\tTRUE\t/\tTRUE\t1\tremixsid\tother\r\n"
            + ".vk.ru\tTRUE\t/\tTRUE\t1\tp\tnot-the-login-hosts\r\n.vk.ru\tTRUE\t/\tTRUE\t1\tremixsid\t\(sid)\r\n"
            + "login.vk.com\tFALSE\t/\tTRUE\t1\tp\tother\r\nlogin.vk.ru\tFALSE\t/\tTRUE\t1\tp\t\(pp)\r\n"),
    .init(
        name: "an extension's JSON",
        text: #"[{"domain":".vk.ru","name":"remixsid","value":"\#(sid)","expirationDate":1.5,"httpOnly":true},"#
            + #"{"domain":".evil.example","name":"p","value":"foreign"},"#
            + #"{"domain":".login.vk.ru","name":"p","value":"\#(pp)","session":false,"storeId":null}]"#),
    .init(
        name: "JSON of a browser's state",
        text: #"{"cookies":[{"name":"remixsid","value":"\#(sid)","domain":".vk.ru"},{"name":"p","value":"\#(pp)","#
            + #""domain":"login.vk.ru"}],"origins":[]}"#),
    .init(name: "JSON of names and values", text: "{\n \"remixsid\": \"\(sid)\",\n \"p\": \"\(pp)\"\n}"),
    .init(name: "a byte order mark", text: "\u{FEFF}remixsid=\(sid); p=\(pp)"),
]

@Suite("Cookies of a browser's session")
struct CookieTextTests {
    @Test("are read from every form a person can copy", arguments: copied)
    func forms(_ form: CookieSample) throws {
        let cookies = try CookieText.read(form.text, loginURL: "https://login.vk.ru")
        #expect(cookies.remixsid.revealed == sid && cookies.p.revealed == pp)
    }

    @Test(
        "say which one is missing, and nothing of what is there",
        arguments: [
            ("remixsid=\(sid)", ["p (it"], ["remixsid ("]), ("p=\(pp)", ["remixsid (it"], ["p (it"]),
            ("remixlang=\(sid)", ["remixsid (it", "p (it"], []), ("remixsid=; p=\(pp)", ["remixsid (it"], []),
            ("remixsid=DELETED; p=\(pp)", ["remixsid (it"], []), ("remixsid=\(sid); p=a b", ["p (it"], []),
            (#"[{"name":"remixsid","value":"\#(sid)","domain":".vk.ru"}]"#, ["p (it"], []),
            (".mail.example\tTRUE\t/\tFALSE\t1\tp\t\(pp)\n.vk.ru\tTRUE\t/\tFALSE\t1\tremixsid\t\(sid)", ["p (it"], []),
            ("{}", ["no cookies"], []), ("[1,2]", ["no cookies"], []), ("hello", ["no cookies"], []),
            ("", ["no cookies"], []), ("# only a comment\n", ["no cookies"], []),
        ] as [(String, [String], [String])])
    func missing(_ text: String, _ named: [String], _ unnamed: [String]) {
        let failure = #expect(throws: Failure.self) { try CookieText.read(text, loginURL: "https://login.vk.ru") }
        #expect(failure?.code == .badArgument)
        for word in named { #expect(failure?.message.contains(word) == true) }
        for word in unnamed { #expect(failure?.message.contains(word) == false) }
        #expect(failure?.message.contains(sid) == false && failure?.message.contains(pp) == false)
    }

    @Test("are those of the site they are sent to, where several sites' are there", arguments: ["vk.ru", "vk.com"])
    func sites(site: String) throws {
        let rows = ["vk.com", "vk.ru"].flatMap { host in
            [".\(host)\tTRUE\t/\tTRUE\t1\tremixsid\tsid-\(host)", "login.\(host)\tTRUE\t/\tTRUE\t1\tp\tp-\(host)"]
        }
        let cookies = try CookieText.read(rows.joined(separator: "\n"), loginURL: "https://login.\(site)")
        #expect(cookies.header.revealed == "remixsid=sid-\(site); p=p-\(site)")
    }

    @Test("print as dots, however they are printed")
    func secret() {
        let cookies = WebCookies(remixsid: Secret(sid), p: Secret(pp))
        let profile = ClientProfile(name: "web", userAgent: "", version: "", apiURL: "")
        let credential = Credential(profile: profile, token: Secret(sid), way: .cookies, cookies: cookies)
        for text in ["\(cookies)", String(reflecting: cookies), "\(credential)", String(reflecting: credential)] {
            #expect(!text.contains(sid) && !text.contains(pp))
        }
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!dumped.contains(sid) && !dumped.contains(pp))
    }

    @Test(
        "are changed by an answer's Set-Cookie lines, and never deleted by them",
        arguments: [
            (["remixsid=new; path=/; domain=.vk.ru; secure; HttpOnly"], "remixsid=new; p=\(pp)"),
            (["remixlang=0", "p=\"q\"; Max-Age=31536000", "remixsid=new"], "remixsid=new; p=q"),
            (["remixsid=DELETED; expires=Thu, 01 Jan 1970 00:00:01 GMT"], "remixsid=\(sid); p=\(pp)"),
            (["remixsid=; path=/", "p=x; Max-Age=0", "p=y; max-age=-1"], "remixsid=\(sid); p=\(pp)"),
            (["remixsid=x; Expires=Thu, 01-Jan-1970 00:00:00 GMT"], "remixsid=\(sid); p=\(pp)"),
            (["remixsid=a\u{1}b", "p", "=", ""], "remixsid=\(sid); p=\(pp)"),
            (["remixsid=x; Domain=example.org", "p=y; domain=.ru", "p=z; domain=.avk.ru"], "remixsid=\(sid); p=\(pp)"),
            (["p=q; Domain=; path=/", "remixsid=new; Domain"], "remixsid=new; p=q"),
            (["__Host-p=x", "p=q; Domain=login.vk.ru", "remixsid=new; domain=vk.com"], "remixsid=new; p=q"),
            (["remixsid=" + String(repeating: "x", count: 5000)], "remixsid=\(sid); p=\(pp)"),
        ])
    func setCookies(_ lines: [String], _ header: String) {
        let cookies = WebCookies(remixsid: Secret(sid), p: Secret(pp))
        #expect(cookies.changed(by: lines.map { Secret($0) }, from: "https://login.vk.ru").header.revealed == header)
    }
}
