/// The layouts that have a name.
package enum LayoutName: String, CaseIterable, Hashable, Sendable {
    /// All tiles of one size; the default.
    case grid
    /// Who speaks is large.
    case speaker
    /// A shared screen is large.
    case screen
    case openVideoCall = "openvideocall"
    case openLive = "openlive"
    case dropIn = "dropin"
    case arCall = "arcall"
    case artc
    case floating
    case bestFit = "bestfit"
    case vertical

    /// The layout of this name, to be kept for the whole recording: some have a memory.
    package func layouter(_ options: LayoutOptions = LayoutOptions()) -> any Layouter {
        let layouter = layouterWithoutMargin(options)
        // ARTC's tiles lie on the canvas with a margin of their own.
        guard let margin = options.margin, margin > 0, self != .artc else { return layouter }
        return MarginLayouter(margin, around: layouter)
    }

    private func layouterWithoutMargin(_ options: LayoutOptions) -> any Layouter {
        switch self {
        case .grid:
            GridLayouter(
                gap: options.gap ?? 4, contentMode: options.contentMode ?? .fit, entrance: options.entrance ?? .join)
        case .speaker: SpeakerLayouter(options)
        case .screen: ScreenLayouter(options)
        case .openVideoCall: OpenVideoCallLayouter(options)
        case .openLive: OpenLiveLayouter(options)
        case .dropIn: DropInLayouter(options)
        case .arCall: ARCallLayouter(options)
        case .artc: ARTCLayouter(options)
        case .floating: PresetLayouter(.floating, options)
        case .bestFit: PresetLayouter(.bestFit, options)
        case .vertical: PresetLayouter(.vertical, options)
        }
    }
}
