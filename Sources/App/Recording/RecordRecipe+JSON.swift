import Composition
package import JSON
import MediaEngines
import MediaTypes
import Rendering

extension RecordRecipe {
    /// What was asked for, as the manifest keeps it, with the keys of a recipe file: no secret among it. A layout of
    /// the user's own is there itself, not the name of its file.
    package var json: JSONValue {
        var json: JSONObject = ["room": JSONValue(room.description), "name": JSONValue(name)]
        json["duration"] = duration.map { .number($0.seconds) }
        switch reconnecting {
        case .asTheAppDoes: break
        case .upTo(let time): json["reconnect"] = .number(time.seconds)
        case .never: json["reconnect"] = "never"
        }
        let usual = RecordRecipe(room: room)
        json["emptyTimeout"] = emptyTimeout.map { .number($0.seconds) }
        if mediaTimeout != usual.mediaTimeout {
            json["mediaTimeout"] = mediaTimeout.map { .number($0.seconds) } ?? "never"
        }
        switch chat {
        case .sameRoom: break
        case .room(let id): json["textRoom"] = .string(id)
        case .none: json["textRoom"] = "none"
        }
        if !network.stunServers.isEmpty {
            json["stun"] = .array(
                network.stunServers.map { .string("\($0.host.contains(":") ? "[\($0.host)]" : $0.host):\($0.port)") })
        }
        json["caFile"] = network.certificateAuthorityFile.map { .string($0) }
        if network.acceptsAnyCertificate { json["insecure"] = true }
        guard let composite else {
            json["composite"] = false
            return .object(json)
        }
        json["size"] = JSONValue(composite.size.description)
        json["fps"] = JSONValue(composite.frameRate)
        json["codec"] = JSONValue(composite.videoCodec.rawValue)
        json["bitrate"] = composite.videoBitRate.map { JSONValue($0) }
        if composite.audioBitRate != CompositeRecipe().audioBitRate {
            json["audioBitrate"] = JSONValue(composite.audioBitRate)
        }
        composite.writeLook(into: &json)
        return .object(json)
    }
}

extension CompositeRecipe {
    /// Who is where and what it looks like, whatever the size. What was not asked for is not there.
    fileprivate func writeLook(into json: inout JSONObject) {
        let options = layout.options
        json["layout"] = layout.layout.json
        json["viewpoint"] = layout.viewpoint.map { .string($0) }
        json["full"] = layout.full.map { .string($0) }
        json["pinned"] = layout.pinned.map { .string($0) }
        json["strict"] = options.isStrict ? true : nil
        json["overflow"] = options.overflow == .scale ? nil : .string(options.overflow.argument)
        json["gap"] = options.gap.map { JSONValue($0) }
        json["margin"] = options.margin.map { JSONValue($0) }
        json["pictures"] = options.contentMode.map { .string($0.name) }
        json["background"] = background.map { .string($0.argument) }
        json["labels"] = hasLabels ? nil : false
        json["speakerFrame"] = marksSpeakers.map { .bool($0) }
        json["badges"] = hasBadges ? nil : false
        if cornerRadius > 0 { json["cornerRadius"] = JSONValue(cornerRadius) }
        json["clock"] = hasClock ? true : nil
        json["stats"] = hasStatistics ? true : nil
        json["animate"] = animation.map { .string("\(max(1, $0.microseconds / 1000))ms") }
    }
}

extension OverflowPolicy {
    /// As it is written on the command line and in a recipe.
    fileprivate var argument: String {
        switch self {
        case .scale: "scale"
        case .reflow: "reflow"
        case .page(let pace): "page:\(max(1, pace.microseconds / 1000))ms"
        }
    }
}

extension Colour {
    /// As it is written on the command line and in a recipe: `#101114`.
    fileprivate var argument: String {
        "#"
            + [red, green, blue].map { component in
                (component < 16 ? "0" : "") + String(component, radix: 16)
            }.joined()
    }
}
