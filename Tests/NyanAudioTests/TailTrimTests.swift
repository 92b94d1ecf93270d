import CGst
import NyanCore
import Testing

@testable import NyanAudio

extension AudioTests {
    @Suite(.serialized) struct TailTrimTests {
        private static let flac = FedSound(MemorySource(Array("fLaC".utf8) + [UInt8](repeating: 0, count: 200)))

        @Test("What a decoder puts out after it heard of the end comes out, whole and at once")
        func delayed() throws {
            try GstRuntime.start()
            let decoder = try #require(DecoderByHand(Self.flac, "S16LE"))
            decoder.put(0..<6)
            #expect(decoder.takeOut() == ["S16LE", "52", "52", "52", "52"])
            decoder.hear(gst_event_new_eos())
            #expect(decoder.takeOut() == ["104"])
            decoder.put(6..<8)
            #expect(decoder.takeOut() == ["52", "52"])
            // The next sound on the same decoder is put together again.
            decoder.hear(gst_event_new_stream_start("next"))
            decoder.put(8..<10)
            #expect(decoder.takeOut() == [])
            decoder.hear(gst_event_new_gap(260_000_000, 1_000_000))
            #expect(decoder.takeOut() == ["104"])
            decoder.put(10..<11)
            decoder.hear(gst_event_new_segment_done(GST_FORMAT_TIME, 286_000_000))
            #expect(decoder.takeOut() == ["52"])
            decoder.put(11..<12)
            #expect(decoder.takeOut() == ["52"])
        }

        @Test("Sound of two formats is not put together, and each piece goes under its own")
        func changed() throws {
            try GstRuntime.start()
            let decoder = try #require(DecoderByHand(Self.flac, "S16LE"))
            decoder.put(0..<6)
            decoder.change(to: "F32LE")
            decoder.put(6..<7)
            #expect(decoder.takeOut() == ["S16LE", "52", "52", "52", "52", "F32LE", "S16LE", "104", "F32LE"])
            decoder.hear(gst_event_new_eos())
            #expect(decoder.takeOut() == ["52"])
        }
    }
}

/// A decoder that puts out what a test says, when it says so, and a list of what comes out behind it.
private final class DecoderByHand {
    private let element: UnsafeMutablePointer<GstElement>
    private let sink: UnsafeMutablePointer<GstPad>
    private let source: UnsafeMutablePointer<GstPad>
    private let behind: UnsafeMutablePointer<GstPad>
    private let log = PadLog()

    init?(_ sound: FedSound, _ format: String) {
        guard let element = gst_bin_new(nil), let sink = gst_pad_new("sink", GST_PAD_SINK),
            let source = gst_pad_new("src", GST_PAD_SRC), let behind = gst_pad_new("behind", GST_PAD_SINK)
        else { return nil }
        (self.element, self.sink, self.source, self.behind) = (element, sink, source, behind)
        gst_object_ref_sink(element)
        gst_object_ref_sink(behind)
        for pad in [sink, source, behind] { gst_pad_set_active(pad, 1) }
        gst_element_add_pad(element, sink)
        gst_element_add_pad(element, source)
        gst_pad_link(source, behind)
        let all = GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_BUFFER.rawValue
        gst_pad_add_probe(
            behind, GstPadProbeType(rawValue: all), cameOut, Unmanaged.passUnretained(log).toOpaque(), nil)
        TailTrim.watch(element, sound)
        // Behind the one of `watch`: what was heard goes no further by itself.
        gst_pad_add_probe(sink, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, { _, _, _ in GST_PAD_PROBE_DROP }, nil, nil)
        hear(gst_event_new_stream_start("first"))
        gst_pad_push_event(source, gst_event_new_stream_start("first"))
        change(to: format)
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        gst_pad_push_event(source, gst_event_new_segment(&segment))
    }

    isolated deinit {
        gst_object_unref(behind)
        gst_object_unref(element)
    }

    func hear(_ event: UnsafeMutablePointer<GstEvent>?) { gst_pad_send_event(sink, event) }

    func change(to format: String) {
        let caps = gst_caps_from_string(
            "audio/x-raw,format=\(format),layout=interleaved,rate=1000,channels=1,channel-mask=(bitmask)0x0")
        gst_pad_push_event(source, gst_event_new_caps(caps))
        gst_caps_unref(caps)
    }

    /// Puts out buffers of 26 ms and 52 bytes.
    func put(_ numbers: Range<UInt>) {
        for number in numbers {
            guard let buffer = gst_buffer_new_allocate(nil, 52, nil) else { return }
            buffer.pointee.pts = number * 26_000_000
            buffer.pointee.duration = 26_000_000
            gst_pad_push(source, buffer)
        }
    }

    /// What came out since it was asked last: the sizes of buffers and the formats told.
    func takeOut() -> [String] {
        defer { log.lines = [] }
        return log.lines
    }
}

// unchecked: all of a test is on one thread.
nonisolated private final class PadLog: @unchecked Sendable {
    var lines: [String] = []
}

nonisolated private func cameOut(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
    _ context: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
    guard let info, let context else { return GST_PAD_PROBE_DROP }
    let log = Unmanaged<PadLog>.fromOpaque(context).takeUnretainedValue()
    if info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
        if let buffer = gst_pad_probe_info_get_buffer(info) { log.lines.append("\(gst_buffer_get_size(buffer))") }
    } else if let event = gst_pad_probe_info_get_event(info), cgst_event_type(event) == GST_EVENT_CAPS {
        var caps: UnsafeMutablePointer<GstCaps>?
        gst_event_parse_caps(event, &caps)
        if let caps, let format = gst_structure_get_string(gst_caps_get_structure(caps, 0), "format") {
            log.lines.append(String(cString: format))
        }
    }
    return GST_PAD_PROBE_DROP
}
