extension Download.State {
    /// It will go on by itself: waiting or running.
    public var isUnderWay: Bool { self == .waiting || self == .running }
}
