import Foundation
import Glibc

/// A client that sends just these bytes and reads what comes, on a thread of its own.
struct RawClient: Sendable {
    struct Failure: Error {}

    let port: UInt16

    /// What came back, until the server closed or nothing came for so long.
    func send(_ parts: [String], pause: Duration = .zero, patience: Int = 5) async throws -> Answer {
        try await run { descriptor in
            for (index, part) in parts.enumerated() {
                if index > 0 { usleep(UInt32(pause.components.attoseconds / 1_000_000_000_000)) }
                guard Self.write(descriptor, Array(part.utf8)) else { break }
            }
            return Answer(Self.read(descriptor, patience: patience))
        }
    }

    /// A request of this target alone.
    func get(_ target: String, method: String = "GET", fields: [String] = []) async throws -> Answer {
        let lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + fields
        return try await send([lines.joined(separator: "\r\n") + "\r\n\r\n"])
    }

    func run<Result: Sendable>(_ body: @escaping @Sendable (Int32) -> Result) async throws -> Result {
        let descriptor = try connected()
        return await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let result = body(descriptor)
                close(descriptor)
                continuation.resume(returning: result)
            }
        }
    }

    func connected() throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure() }
        return descriptor
    }

    @discardableResult
    static func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    static func read(_ descriptor: Int32, patience: Int, limit: Int = .max) -> [UInt8] {
        var wait = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < limit {
            let count = recv(descriptor, &block, min(block.count, limit - bytes.count), 0)
            if count < 0, bytes.isEmpty, errno == EAGAIN { return Array("TIMEOUT".utf8) }
            guard count > 0 else { break }
            bytes += block[..<count]
        }
        return bytes
    }
}

/// An answer taken apart.
struct Answer: Sendable {
    let bytes: [UInt8]
    let status: Int
    let head: String
    let body: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let text = String(decoding: bytes, as: UTF8.self)
        status = Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0
        let end = bytes.indices.first { bytes[$0...].starts(with: [13, 10, 13, 10]) }
        head = String(decoding: bytes[..<(end ?? bytes.endIndex)], as: UTF8.self)
        body = end.map { Array(bytes[($0 + 4)...]) } ?? []
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(field: String) -> String? {
        head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(field.lowercased() + ": ") }
            .map { String($0.dropFirst(field.count + 2)) }
    }
}
