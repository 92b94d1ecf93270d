/// Whether a call to VK is made for a track that is to sound: such a call waits for the one under way and no other.
public enum CallUrgency {
    @TaskLocal public static var isPlaying = false
}
