import MediaTypes

/// What a log entry says beside its message: named values, in the order in which they were given. A later value of the
/// same name replaces the earlier one.
package struct LogMetadata: Sendable, ExpressibleByDictionaryLiteral {
    package private(set) var entries: [(name: String, value: LogValue)] = []

    package init(dictionaryLiteral elements: (String, LogValue)...) {
        for (name, value) in elements { self[name] = value }
    }

    package subscript(name: String) -> LogValue? {
        get { entries.first { $0.name == name }?.value }
        set {
            let index = entries.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append((name, value))
            case (nil, nil): break
            }
        }
    }

    /// These values with `other`'s after and over them.
    package func merging(_ other: LogMetadata) -> LogMetadata {
        var merged = self
        for (name, value) in other.entries { merged[name] = value }
        return merged
    }
}

/// A value in a log entry. There is no way to make one of a `Secret` but as `<secret>`.
package enum LogValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case number(Double)
    case boolean(Bool)

    package init(_ value: some CustomStringConvertible) { self = .string(value.description) }
    package init(_ value: some BinaryInteger) { self = .integer(Int64(clamping: value)) }
    package init(_ value: Double) { self = .number(value) }
    package init(_ value: Bool) { self = .boolean(value) }
    /// In seconds.
    package init(_ value: Duration) { self = .number(value.seconds) }
}

extension LogValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
}
