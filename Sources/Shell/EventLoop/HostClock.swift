import Glibc
package import MediaTypes

/// The host's clocks. The only file that reads one: everything else is handed its time.
package enum HostClock {
    /// The steady clock. It counts while the machine is suspended, so that a gap keeps its true length.
    package static func now() -> MonotonicTime {
        MonotonicTime(nanoseconds: read(CLOCK_BOOTTIME))
    }

    /// UTC as the host believes it. For names and for showing only.
    package static func wallTime() -> WallTime {
        WallTime(microseconds: read(CLOCK_REALTIME) / 1000)
    }

    /// How long the calling thread has been running on a processor, for telling what its work costs.
    package static func threadTime() -> Duration { .nanoseconds(read(CLOCK_THREAD_CPUTIME_ID)) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
