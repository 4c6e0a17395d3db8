import Calendar
import CallbotTesting
import Glibc
import MediaTypes
import Testing
import TimeZones

@Suite struct SystemTimeZonesTests {
    @Test func everyZoneOfTheHostCanBeRead() throws {
        let zones = SystemTimeZones()
        let names = zones.names()
        #expect(names.contains("Europe/Berlin") && names.contains("UTC") && names.count > 300)
        for name in names { _ = try zones.zone(named: name).transition(after: WallTime(seconds: 1_800_000_000)) }
    }

    /// From 1950 to 2112, at hours that move through the day and the year. `date` is asked, since the C library itself
    /// knows one zone a process.
    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia",
        "Africa/Casablanca", "Asia/Kathmandu", "Europe/Dublin", "America/St_Johns", "Antarctica/Troll",
    ])
    func offsetsAreThoseOfTheCLibrary(name: String) throws {
        let rules = try SystemTimeZones().zone(named: name)
        let instants = Array(stride(from: -631_152_000, to: 4_500_000_000, by: 1_349_201))
        let folder = try TemporaryFolder()
        let list = try #require(fopen(folder.path + "/instants", "w"))
        for instant in instants { fputs("@\(instant)\n", list) }
        fclose(list)
        let answers = try #require(popen("TZ=\(name) date -f \(folder.path)/instants +%z", "r"))
        defer { pclose(answers) }
        for instant in instants {
            var line = [CChar](repeating: 0, count: 16)
            guard fgets(&line, 16, answers) != nil else { break }
            let digits = String(decoding: line.prefix { $0 > 0x20 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let number = try #require(Int(digits))
            let offset = rules.offset(at: WallTime(seconds: instant))
            #expect(offset == (number / 100 * 60 + number % 100) * 60, "at \(instant)")
        }
        #expect(feof(answers) == 0)
    }

    @Test(arguments: [
        ("Europe/Berln", "unknown time zone 'Europe/Berln' (did you mean 'Europe/Berlin'?)"),
        ("Berlin", "unknown time zone 'Berlin' (did you mean 'Europe/Berlin'?)"),
        ("europe/berlin", "unknown time zone 'europe/berlin' (did you mean 'Europe/Berlin'?)"),
        ("Lissabon", "unknown time zone 'Lissabon' (did you mean 'Europe/Lisbon'?)"),
        ("Qqqqqqqq", "unknown time zone 'Qqqqqqqq': write it as in Europe/Berlin, America/New_York or UTC"),
        ("../zoneinfo/UTC", "unknown time zone '../zoneinfo/UTC'"), ("/etc/passwd", "unknown time zone '/etc/passwd'"),
        ("", "unknown time zone ''"), ("Europe", "unknown time zone 'Europe'"),
        ("zone.tab", "unknown time zone 'zone.tab'"),
    ])
    func unknownNamesAreRefusedWithNearOnes(name: String, message: String) {
        let error = #expect(throws: UnknownTimeZone.self) { try SystemTimeZones().zone(named: name) }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }

    @Test func withoutADatabaseTheErrorSaysWhatToInstall() {
        let error = #expect(throws: UnknownTimeZone.self) { try SystemTimeZones(folder: "/nowhere").zone(named: "UTC") }
        #expect(error?.description.contains("install the package tzdata") == true)
    }

    @Test func theHostsZoneIsThatOfTheEnvironmentOrOfTheLinkOrUTC() throws {
        #expect(try SystemTimeZones(environmentZone: "Europe/Berlin").hostZone().name == "Europe/Berlin")
        #expect(try SystemTimeZones(environmentZone: ":Asia/Tokyo").hostZone().name == "Asia/Tokyo")
        #expect(try SystemTimeZones(environmentZone: "").hostZone().name == "UTC")
        let rule = "CET-1CEST,M3.5.0,M10.5.0/3"
        #expect(try SystemTimeZones(environmentZone: rule).hostZone().name == rule)
        #expect(
            try SystemTimeZones(environmentZone: "/usr/share/zoneinfo/Asia/Tokyo").hostZone().offset(
                at: WallTime(seconds: 0)) == 9 * 3600)
        #expect(throws: UnknownTimeZone.self) { try SystemTimeZones(environmentZone: "Nowhere").hostZone() }

        let folder = try TemporaryFolder()
        symlink("/usr/share/zoneinfo/America/New_York", folder.path + "/localtime")
        if getenv("TZ") == nil {
            #expect(try SystemTimeZones(localtime: folder.path + "/localtime").hostZone().name == "America/New_York")
            #expect(try SystemTimeZones(localtime: folder.path + "/none").hostZone().name == "UTC")
        }
    }
}
