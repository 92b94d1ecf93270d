import Testing

/// Everything that needs a real bus. One test at a time: all of them share the main actor with the bus peers they
/// serve, so a heavy neighbour would spoil every time limit.
@Suite(.serialized, .timeLimit(.minutes(1)))
enum BusTests {}
