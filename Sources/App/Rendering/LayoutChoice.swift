package import Composition
import MediaTypes
import RecordingFormat

/// Which layout a composite has, in the words of whoever asked for it: people by their names or ids.
package struct LayoutChoice: Hashable, Sendable {
    package enum Layout: Hashable, Sendable {
        case named(LayoutName)
        /// One of the user's own.
        case regions(RegionLayout)

        /// Whether it marks who speaks when nobody says: the layouts of apps look as the apps do.
        package var marksSpeakers: Bool {
            switch self {
            case .named(let name): [.grid, .speaker, .screen].contains(name)
            case .regions: true
            }
        }

        func layouter(_ options: LayoutOptions) -> any Layouter {
            switch self {
            case .named(let name): name.layouter(options)
            case .regions(let regions): RegionLayouter(regions, speakerHold: options.speakerHold)
            }
        }
    }

    package var layout = Layout.named(.grid)
    /// Whose view of the call it is; a name or an id.
    package var viewpoint: String?
    /// Who fills the canvas; a name or an id.
    package var full: String?
    /// Who has the large place, whoever speaks; a name or an id.
    package var pinned: String?
    /// All else. Its people are those of the three above once they are on stage.
    package var options = LayoutOptions()

    package init() {}

    /// Chooses as somebody asked for. A layout that is none changes nothing.
    mutating func follow(_ control: ControlEvent) {
        switch control {
        case .layout(let json): layout = Layout(json) ?? layout
        case .full(let who): full = who
        case .pinned(let who): pinned = who
        case .mark: break
        }
    }

    /// The options with the people who are meant, as far as they are on stage.
    func options(on stage: Stage) -> LayoutOptions {
        func person(_ who: String?) -> Stage.Person? {
            guard let who else { return nil }
            return stage.people.first { $0.id.value == who } ?? stage.people.first { $0.name == who }
        }
        var options = options
        options.viewpoint = person(viewpoint)?.id
        options.full = person(full)?.id
        options.pinned = person(pinned)?.id
        return options
    }
}
