import NyanCore
import Testing

private func fields(_ answer: ChallengeAnswer?) -> [String: String]? {
    guard case .fields(let fields)? = answer else { return nil }
    return Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value.revealed) })
}

private func answer(_ text: String, to challenge: Challenge) -> ChallengeAnswer? {
    try? challenge.answer(in: Secret(text))
}

private func refusal(_ text: String, by challenge: Challenge) -> Failure.Code? {
    do {
        _ = try challenge.answer(in: Secret(text))
        return nil
    } catch { return error.code }
}

private let picture = Challenge(
    .picture, sid: "7", address: "https://vk.com/captcha.php?sid=7",
    echo: [FormField("captcha_ts", "1.5"), FormField("captcha_attempt", "1")])
private let robot = Challenge(
    .robotCheck, sid: "8", address: "https://id.vk.com/x", echo: [FormField("remixstlid", "9")])
private let validation = Challenge(.validation, address: "https://oauth.vk.com/v")
private let confirmation = Challenge(.confirmation, words: "Really?")
private let code = Challenge(.code(.sms), sid: "s", words: "+7 *** 89")
private let deed = Challenge(.deed, words: "VK wants you")

@Suite("An answer to VK")
struct ChallengeTests {
    @Test("with a picture's letters goes back with the picture's number and what VK sent along")
    func letters() {
        #expect(
            fields(answer(" nyan \n", to: picture)) == [
                "captcha_sid": "7", "captcha_key": "nyan", "captcha_ts": "1.5", "captcha_attempt": "1",
            ])
    }

    @Test(
        "with a success_token is found in what the browser's tools show",
        arguments: [
            "st.A-b_1.2", "\"st.A-b_1.2\"", "success_token=st.A-b_1.2", #"{"success_token":"st.A-b_1.2"}"#,
            #"{"response": {"status": "OK", "success_token": "st.A-b_1.2"}}"#, "success_token: \"st.A-b_1.2\"",
        ])
    func successToken(_ text: String) {
        #expect(
            fields(answer(text, to: robot)) == [
                "captcha_sid": "8", "success_token": "st.A-b_1.2", "remixstlid": "9",
            ])
    }

    @Test("with a code may be typed as it was shown", arguments: ["123456", "123 456", "123-456", " 123456\n"])
    func codes(_ text: String) { #expect(fields(answer(text, to: code)) == ["code": "123456"]) }

    @Test("may ask for another code")
    func resend() { #expect(answer("Resend", to: code) == .resend) }

    @Test("may be the address of a page, which gives another token", arguments: [validation, code])
    func address(_ challenge: Challenge) {
        let text = "https://oauth.vk.com/blank.html#success=1&access_token=new&user_id=5"
        #expect(answer(text, to: challenge) == .token(Secret("new"), user: 5, expires: nil))
    }

    @Test("yes repeats with consent", arguments: ["yes", "Y", "да", "1", "OK"])
    func yes(_ text: String) { #expect(fields(answer(text, to: confirmation)) == ["confirm": "1"]) }

    @Test("no ends what waits", arguments: ["no", "N", "нет", "0", "cancel"])
    func no(_ text: String) {
        #expect(refusal(text, by: confirmation) == .cancelled && refusal(text, by: deed) == .cancelled)
    }

    @Test("that is none leaves the question open")
    func none() {
        #expect(refusal("perhaps", by: confirmation) == .badArgument)
        #expect(refusal("  ", by: picture) == .badArgument)
        #expect(refusal("two words", by: robot) == .badArgument)
        #expect(refusal("12;34", by: code) == .badArgument)
        #expect(refusal("hello", by: validation) == .badArgument)
        #expect(refusal("https://oauth.vk.com/blank.html#fail=1", by: validation) == .cancelled)
        #expect(answer("done", to: deed) == .again)
    }

    @Test(
        "is asked for in words that name the page and the command",
        arguments: [picture, robot, validation, confirmation, code, deed])
    func questions(_ challenge: Challenge) {
        #expect(challenge.question.contains("`nyanctl answer"))
        if let address = challenge.address { #expect(challenge.question.contains(address)) }
        if let words = challenge.words { #expect(challenge.question.contains(words)) }
        #expect(challenge.failure.code == .challengeNeeded && challenge.failure.code.exitStatus == 4)
        if let address = challenge.address { #expect(!challenge.word.contains(address)) }
    }

    @Test("prints as dots, whatever it is")
    func secret() {
        #expect(!"\(String(describing: answer("nyan", to: picture)))".contains("nyan"))
    }

    @Test(
        "VK's own sentences are one line without what moves a terminal's cursor",
        arguments: [
            ("a\u{1b}[2Jb\u{202e}c", "a[2Jbc"), ("a\n\tb", "ab"), (" a  b ", "a b"), ("\u{7}", nil), ("", nil),
        ] as [(String, String?)])
    func cleaned(_ text: String, _ clean: String?) { #expect(ForeignWords.cleaned(text) == clean) }
}
