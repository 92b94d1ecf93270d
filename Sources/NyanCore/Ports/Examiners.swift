/// Port: says what can be played here and where it would go. Makes no sound, opens no stream.
@MainActor public protocol SoundExaminer: AnyObject {
    /// Takes as long as GStreamer and the sound server need, two seconds at most.
    func examineSound() async -> SoundFacts
}

/// Port: looks at one folder. Takes as long as its disk does.
public protocol FolderExaminer: Sendable {
    /// What can be written in a folder that nyand may make.
    func room(in folder: String) async -> Room
}
