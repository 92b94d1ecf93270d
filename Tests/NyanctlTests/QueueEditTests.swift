import NyanCore
import Testing

@testable import nyanctl

@Suite("Edits of the queue that wait for each other")
struct QueueEditTests {
    private func move(_ step: Int, _ position: Int, _ number: Int = 1) -> QueueEdits.Edit {
        .init(deed: .move(step), position: position, id: UIKit.id(number))
    }

    @Test("One is on its way at a time, and a held key becomes one move behind it")
    func heldKey() {
        var edits = QueueEdits()
        edits.add(move(1, 1))
        #expect(edits.next() == .edit(move(1, 1)))
        for position in 2...30 { edits.add(move(1, position)) }
        #expect(edits.next() == nil && edits.isBusy)
        edits.done()
        #expect(edits.next() == .edit(move(29, 2)))
        edits.done()
        #expect(edits.next() == nil && !edits.isBusy)
        #expect(edits.edition == 30)
    }

    @Test("A way there and back is none, and other rows' moves are kept apart")
    func sums() {
        var edits = QueueEdits()
        edits.add(move(1, 1))
        edits.add(move(-1, 2))
        #expect(!edits.isBusy)
        edits.add(move(1, 1))
        edits.add(move(1, 1, 2))
        // The same track at another place of the queue.
        edits.add(move(1, 5, 2))
        for edit in [move(1, 1), move(1, 1, 2), move(1, 5, 2)] {
            #expect(edits.next() == .edit(edit))
            edits.done()
        }
    }

    @Test("What would be in their way waits, and a failure drops what waits")
    func order() {
        var edits = QueueEdits()
        let clear = UICall(.queue, "Clear")
        edits.add(move(1, 1))
        edits.add(clear)
        #expect(edits.next() == .edit(move(1, 1)) && edits.next() == nil)
        edits.done()
        #expect(edits.next() == .call(clear) && !edits.isBusy)
        edits.add(move(1, 1))
        edits.add(clear)
        #expect(edits.next() != nil)
        edits.drop()
        #expect(edits.next() == nil && !edits.isBusy)
    }
}
