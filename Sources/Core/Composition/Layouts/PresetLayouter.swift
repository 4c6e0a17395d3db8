package import MediaTypes

/// The presets of Agora's recorder, in order of arrival. They end at 17 people; here they go on in the same way.
package struct PresetLayouter: Layouter {
    package enum Preset: Hashable, Sendable {
        /// The first fills the canvas; the others are small above it, in rows that grow upwards.
        case floating
        /// Squares of as many columns as rows.
        case bestFit
        /// One large at the left, the others in columns at the right.
        case vertical
    }

    /// How many the presets have places for.
    package static let capacity = 17

    private let preset: Preset
    private let options: LayoutOptions

    package init(_ preset: Preset, _ options: LayoutOptions = LayoutOptions()) {
        self.preset = preset
        self.options = options
    }

    package func scene(of stage: Stage, on canvas: PixelSize, at time: TimelineTime) -> Scene {
        let subjects = stage.tileSubjects(from: options.entrance ?? .join)
        let contentMode = options.contentMode ?? (preset == .bestFit ? .fit : .crop)
        let large = options.pinned ?? options.full
        if options.isStrict, preset == .vertical, large != nil, subjects.index(of: large) == nil {
            // The large place stays free for who was chosen.
            let places = self.places(count: min(subjects.count + 1, Self.capacity), on: canvas)
            return Scene(on: canvas, subjects, in: Array(places.dropFirst()), contentMode)
        }
        let ordered = subjects.index(of: large).map(subjects.moved) ?? subjects
        guard ordered.count > Self.capacity else {
            return Scene(on: canvas, ordered, in: places(count: ordered.count, on: canvas), contentMode)
        }
        if options.isStrict {
            return Scene(on: canvas, ordered, in: places(count: Self.capacity, on: canvas), contentMode)
        }
        if case .page(let pace) = options.overflow {
            return page(of: ordered, every: pace, on: canvas, at: time, contentMode)
        }
        return Scene(on: canvas, ordered, in: places(count: ordered.count, on: canvas), contentMode)
    }

    /// The large one stays while the others' pages turn.
    private func page(
        of subjects: [TileSubject], every pace: Duration, on canvas: PixelSize, at time: TimelineTime,
        _ contentMode: Tile.ContentMode
    ) -> Scene {
        let fixed = preset == .bestFit ? 0 : 1
        let places = places(count: Self.capacity, on: canvas)
        let page = Arrangement(
            pagesOf: Array(places.dropFirst(fixed)), count: subjects.count - fixed, every: pace, at: time)
        let shown = subjects.dropFirst(fixed).dropFirst(page.shown.lowerBound).prefix(page.shown.count)
        return Scene(
            on: canvas, subjects.prefix(fixed) + shown, in: places.prefix(fixed) + page.rectangles, contentMode)
    }

    /// The places of `count` people.
    package func places(count: Int, on canvas: PixelSize) -> [FractionalRectangle] {
        guard count > 0 else { return [] }
        let fractions =
            switch preset {
            case .floating: floating(count)
            case .bestFit: bestFit(count)
            case .vertical: vertical(count)
            }
        return fractions.map { $0.scaled(to: canvas) }
    }

    private func floating(_ count: Int) -> [FractionalRectangle] {
        let columns = max(4, CellGrid.columnsOfSquare(holding: count - 1))
        let gap = 0.012
        let side = (1 - Double(columns + 1) * gap) / Double(columns)
        return [FractionalRectangle(x: 0, y: 0, width: 1, height: 1)]
            + (0..<count - 1).map { index in
                let (row, column) = index.quotientAndRemainder(dividingBy: columns)
                return FractionalRectangle(
                    x: Double(column) * (side + gap) + gap, y: 1 - Double(row + 1) * (side + gap), width: side,
                    height: side)
            }
    }

    private func bestFit(_ count: Int) -> [FractionalRectangle] {
        let canvas = FractionalRectangle(x: 0, y: 0, width: 1, height: 1)
        switch count {
        case 2: return CellGrid(columns: 2, rows: 1, area: canvas, gap: 0).cells(2)
        case 17:
            let rows = CellGrid(
                columns: 4, rows: 4, area: FractionalRectangle(x: 0.1, y: 0, width: 0.8, height: 0.8), gap: 0)
            return rows.cells(16) + [FractionalRectangle(x: 0.4, y: 0.8, width: 0.2, height: 0.2)]
        default:
            let side = CellGrid.columnsOfSquare(holding: count)
            return CellGrid(columns: side, rows: side, area: canvas, gap: 0).cells(count)
        }
    }

    private func vertical(_ count: Int) -> [FractionalRectangle] {
        guard count > 1 else { return [FractionalRectangle(x: 0, y: 0, width: 1, height: 1)] }
        // How much of the width the small ones take, in how many columns of how many rows.
        let (width, columns, rows): (Double, Int, Int) =
            switch count {
            case ...5: (0.2, 1, 4)
            case ...7: (1.0 / 7, 1, 6)
            case ...9: (1.0 / 9, 1, 8)
            default: { (0.2, $0, 4 * $0) }((CellGrid.columnsOfSquare(holding: count - 1) + 1) / 2)
            }
        let (cellWidth, cellHeight) = (width / Double(columns), 1 / Double(rows))
        return [FractionalRectangle(x: 0, y: 0, width: 1 - width, height: 1)]
            + (0..<count - 1).map { index in
                let (column, row) = index.quotientAndRemainder(dividingBy: rows)
                return FractionalRectangle(
                    x: 1 - width + Double(column) * cellWidth, y: Double(row) * cellHeight, width: cellWidth,
                    height: cellHeight)
            }
    }
}
