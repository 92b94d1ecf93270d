import NyanCore
import NyanWords

extension Notice {
    /// As a person reads it: our own words in their language. A track's names are nobody's words but its own.
    var spoken: Notice {
        switch kind {
        case .downloads: Notice(kind, title: Words.said(title), body: Words.said(body), picture: picture)
        case .track: self
        }
    }
}
