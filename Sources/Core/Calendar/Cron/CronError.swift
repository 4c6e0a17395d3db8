/// What is wrong with a cron expression: one sentence that names the field, what stands there, and what may.
package struct CronError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
