import NyanCore
import NyanDBus
import NyanWire

/// What the mouse does. What stands where, the view tells, which drew it.
extension UIState {
    private static let wheel = 3

    mutating func point(_ deed: MouseDeed, at place: Place, _ now: Double) -> [UIEffect] {
        guard layout.shape != .tooSmall else { return [] }
        let isSpent = isClickSpent
        isClickSpent = false
        if deed == .doubleClick, isSpent { return [] }
        if question != nil || helpTop != nil {
            isClickSpent = deed == .click
            return dismiss(deed)
        }
        if menu != nil {
            isClickSpent = deed == .click
            return choose(deed, at: place, now)
        }
        switch deed {
        case .wheelUp, .wheelDown:
            let touch = UIView().touch(self, at: place, now)
            if touch == .deed(.louder) || touch == .deed(.quieter) || touch == .volume {
                return command(deed == .wheelUp ? .louder : .quieter)
            }
            list.scroll(by: deed == .wheelUp ? -Self.wheel : Self.wheel, height)
            return []
        case .menu:
            guard case .row(let row)? = UIView().touch(self, at: place, now) else { return [] }
            notice = nil
            list.select(row, height)
            openMenu()
            return []
        case .click, .doubleClick:
            notice = nil
            guard let touch = UIView().touch(self, at: place, now) else { return [] }
            return take(touch, isDouble: deed == .doubleClick)
        }
    }

    /// A question is answered by keys alone; a click beside it means no. The help scrolls.
    private mutating func dismiss(_ deed: MouseDeed) -> [UIEffect] {
        switch deed {
        case .wheelUp: return helpTop != nil ? press(.up, at: 0) : []
        case .wheelDown: return helpTop != nil ? press(.down, at: 0) : []
        default:
            if question != nil { refuse() }
            helpTop = nil
            return []
        }
    }

    private mutating func take(_ touch: UITouch, isDouble: Bool) -> [UIEffect] {
        switch touch {
        case .tab(let tab):
            typing = nil
            return open(tab)
        case .row(let place):
            list.select(place, height)
            return isDouble ? act(.play) : []
        case .bar(let fraction): return [.call(UICall(.player, "SeekToFraction", .double(fraction)))]
        case .deed(let deed): return perform(deed, at: 0)
        case .volume, .choice: return []
        }
    }
}
