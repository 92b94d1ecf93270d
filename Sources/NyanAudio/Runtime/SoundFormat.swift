/// A kind of sound or container, and the elements that lead from it to samples on Debian 12.
nonisolated struct SoundFormat: Sendable {
    /// What its caps hold, as GStreamer writes them.
    let sign: String
    let name: String
    /// One of each row is needed; the first of a row is named where all of it is missing.
    let elements: [[String]]
    /// The package of the elements named first.
    let package: String
    /// VK's tracks are of this kind: without it hardly anything plays.
    var isEverywhere = false

    /// Either decoder turns MP3 into samples; the first is the one we want (half the memory, swift-facts.md §3).
    static let mp3Decoders = ["mpg123audiodec", "avdec_mp3", "avdec_mp3float"]

    static let mp3 = SoundFormat(
        sign: "audio/mpeg", name: "MP3", elements: [["mpegaudioparse"], mp3Decoders],
        package: "gstreamer1.0-plugins-good", isEverywhere: true)
    static let flac = SoundFormat(
        sign: "audio/x-flac", name: "FLAC", elements: [["flacparse"], ["flacdec", "avdec_flac"]],
        package: "gstreamer1.0-plugins-good")

    /// More special signs first.
    static let known = [
        SoundFormat(
            sign: "mpegversion=(int)4", name: "AAC", elements: [["aacparse"], ["avdec_aac", "faad", "fdkaacdec"]],
            package: "gstreamer1.0-libav"),
        SoundFormat(
            sign: "mpegversion=(int)2", name: "AAC", elements: [["aacparse"], ["avdec_aac", "faad", "fdkaacdec"]],
            package: "gstreamer1.0-libav"),
        mp3,
        SoundFormat(
            sign: "application/x-id3", name: "a sound with ID3 tags", elements: [["id3demux"]],
            package: "gstreamer1.0-plugins-good", isEverywhere: true),
        flac,
        SoundFormat(
            sign: "application/ogg", name: "Ogg", elements: [["oggdemux"]], package: "gstreamer1.0-plugins-base"),
        SoundFormat(
            sign: "audio/ogg", name: "Ogg", elements: [["oggdemux"]], package: "gstreamer1.0-plugins-base"),
        SoundFormat(
            sign: "audio/x-vorbis", name: "Vorbis", elements: [["vorbisdec", "avdec_vorbis"]],
            package: "gstreamer1.0-plugins-base"),
        SoundFormat(
            sign: "audio/x-opus", name: "Opus", elements: [["opusdec", "avdec_opus"]],
            package: "gstreamer1.0-plugins-base"),
        SoundFormat(
            sign: "video/quicktime", name: "MP4", elements: [["qtdemux"]], package: "gstreamer1.0-plugins-good"),
        SoundFormat(
            sign: "audio/x-m4a", name: "MP4", elements: [["qtdemux"]], package: "gstreamer1.0-plugins-good"),
        SoundFormat(
            sign: "audio/x-wav", name: "WAV", elements: [["wavparse"]], package: "gstreamer1.0-plugins-good"),
        SoundFormat(
            sign: "audio/x-alac", name: "ALAC", elements: [["avdec_alac"]], package: "gstreamer1.0-libav"),
        SoundFormat(
            sign: "application/x-apetag", name: "a sound with APE tags", elements: [["apedemux"]],
            package: "gstreamer1.0-plugins-good"),
    ]
}
