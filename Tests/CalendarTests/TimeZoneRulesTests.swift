import Calendar
import MediaTypes
import Testing

@Suite struct TimeZoneRulesTests {
    /// Zone, time on the clock, and the instants in UTC at which it is shown.
    @Test(arguments: [
        ("Europe/Berlin", "2026-03-29 01:59", ["2026-03-29 00:59"]), ("Europe/Berlin", "2026-03-29 02:00", []),
        ("Europe/Berlin", "2026-03-29 02:59", []), ("Europe/Berlin", "2026-03-29 03:00", ["2026-03-29 01:00"]),
        ("Europe/Berlin", "2026-10-25 02:00", ["2026-10-25 00:00", "2026-10-25 01:00"]),
        ("Europe/Berlin", "2026-10-25 02:59", ["2026-10-25 00:59", "2026-10-25 01:59"]),
        ("Europe/Berlin", "2026-10-25 03:00", ["2026-10-25 02:00"]),
        ("Europe/Berlin", "2499-07-01 12:00", ["2499-07-01 10:00"]),
        ("America/New_York", "2026-03-08 02:30", []),
        ("America/New_York", "2026-11-01 01:30", ["2026-11-01 05:30", "2026-11-01 06:30"]),
        ("Australia/Lord_Howe", "2026-10-04 02:15", []),
        ("Australia/Lord_Howe", "2026-10-04 02:30", ["2026-10-03 15:30"]),
        ("Australia/Lord_Howe", "2026-04-05 01:45", ["2026-04-04 14:45", "2026-04-04 15:15"]),
        ("America/Sao_Paulo", "2018-11-04 00:30", []),
        ("America/Sao_Paulo", "2018-02-17 23:30", ["2018-02-18 01:30", "2018-02-18 02:30"]),
        ("Pacific/Apia", "2011-12-30 12:00", []), ("Pacific/Apia", "2011-12-31 00:00", ["2011-12-30 10:00"]),
        ("Africa/Casablanca", "2026-02-15 02:30", ["2026-02-15 01:30", "2026-02-15 02:30"]),
        ("Africa/Casablanca", "2026-03-22 02:30", []), ("UTC", "2026-03-29 02:30", ["2026-03-29 02:30"]),
    ])
    func aTimeMeansNoneOneOrTwoInstants(name: String, time: String, instants: [String]) throws {
        #expect(try zone(name).instants(of: clock(time)) == instants.map { try instant($0) })
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-03-29 02:30", "2026-03-29 03:00 +0200", "2026-03-29 03:30 +0200"),
        ("Europe/Berlin", "2026-10-25 02:30", "2026-10-25 02:30 +0200", "2026-10-25 02:30 +0200"),
        ("Australia/Lord_Howe", "2026-10-04 02:15", "2026-10-04 02:30 +1100", "2026-10-04 02:45 +1100"),
        ("America/Sao_Paulo", "2018-11-04 00:30", "2018-11-04 01:00 -0200", "2018-11-04 01:30 -0200"),
        ("Pacific/Apia", "2011-12-30 12:00", "2011-12-31 00:00 +1400", "2011-12-31 12:00 +1400"),
    ])
    func aSkippedTimeIsTakenAsAsked(name: String, time: String, rightAfter: String, shifted: String) throws {
        let rules = try zone(name)
        #expect(shown(try rules.instant(of: clock(time), skipped: .rightAfter), in: rules) == rightAfter)
        #expect(shown(try rules.instant(of: clock(time), skipped: .asThoughNotSkipped), in: rules) == shifted)
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-01-01 00:00", "2026-03-29 01:00"),
        ("Europe/Berlin", "2026-03-29 01:00", "2026-10-25 01:00"),
        ("Europe/Berlin", "2300-01-01 00:00", "2300-03-25 01:00"),
        ("Europe/Berlin", "2026-12-31 23:59", "2027-03-28 01:00"),
        ("America/Sao_Paulo", "2020-01-01 00:00", nil), ("UTC", "2020-01-01 00:00", nil),
        ("Africa/Casablanca", "2026-01-01 00:00", "2026-02-15 02:00"),
    ])
    func theNextChangeIsKnown(name: String, after: String, next: String?) throws {
        #expect(try zone(name).transition(after: instant(after)) == next.map { try instant($0) })
    }

    /// The rule of each, and offsets in minutes at instants of UTC.
    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29 00:59", 60), ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29 01:00", 120),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25 01:00", 60), ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08 06:59", -300),
        ("EST5EDT,M3.2.0,M11.1.0", "2026-03-08 07:00", -240), ("EST5", "2026-07-01 00:00", -300),
        ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-01 00:00", 660),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-01-01 00:00", 660),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-06-01 00:00", 630),
        ("XXX3YYY,J60/0,J305/0", "2028-03-01 02:59", -180),
        ("XXX3YYY,J60/0,J305/0", "2028-03-01 03:00", -120), ("XXX3YYY,59/0,J305/0", "2028-02-29 03:00", -120),
        ("EST5EDT,0/0,J365/25", "2026-07-01 00:00", -240), ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29 01:00", -60),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29 00:59", -120), ("UTC0", "2026-01-01 00:00", 0),
    ])
    func posixRulesAreRead(rule: String, time: String, minutes: Int) throws {
        #expect(try #require(POSIXTimeZone(rule)).offset(at: instant(time)) == minutes * 60)
    }

    @Test(arguments: [
        "", "CET", "C-1", "CET-25", "CET-1CEST", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.5.0",
        "CET-1CEST,M3.5.0,M10.5.0x",
        "CET-1CEST,M3.6.0,M10.5.0", "<+01-1", "<>-1", "CET-1CEST,J0,J366", "CET-1CEST,M3.5.0/168,M10.5.0",
        "Europe/Berlin",
    ])
    func whatIsNoPOSIXRuleIsRefused(text: String) { #expect(POSIXTimeZone(text) == nil) }

    @Test func brokenZoneFilesAreErrorsAndNoCrashes() throws {
        let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 39)
        for length in 0...header.count {
            #expect(throws: ZoneFileError.self) {
                try TransitionTable(name: "x", zoneFile: Array(header.prefix(length)))
            }
        }
        let counts = Array("TZif2".utf8) + [UInt8](repeating: 0xFF, count: 39)
        #expect(throws: ZoneFileError.self) { try TransitionTable(name: "x", zoneFile: counts) }
        let fine =
            Array("TZif".utf8) + [0] + [UInt8](repeating: 0, count: 15 + 16) + [0, 0, 0, 1, 0, 0, 0, 4] + [
                0, 0, 0x0E, 0x10, 0, 0,
            ]
            + Array("CET\0".utf8)
        #expect(try TransitionTable(name: "x", zoneFile: fine).offset(at: WallTime(seconds: 0)) == 3600)
        for place in fine.indices {
            var broken = fine
            broken[place] ^= 0xFF
            _ = try? TransitionTable(name: "x", zoneFile: broken)
        }
    }
}
