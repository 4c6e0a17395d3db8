import CallbotTesting
import Foundation
import Testing

@testable import Commands

@Suite struct CompletionsTests {
    private typealias Option = (command: String, name: String)

    /// Every option that a help page lists.
    private static let options: [Option] = Callbot.declarations.flatMap { declaration -> [Option] in
        declaration.help.split(separator: "\n").filter { $0.hasPrefix("  --") && $0.dropFirst(2).contains("  ") }
            .map { (declaration.name, String($0.dropFirst(4).prefix { $0 != "," && $0 != " " })) }
    }

    @Test func everyOptionIsDeclared() {
        for declaration in Callbot.declarations {
            let listed = Self.options.filter { $0.command == declaration.name }.map(\.name)
            #expect(Set(listed) == Set(declaration.options.map(\.name)), "\(declaration.name)")
        }
    }

    @Test func everyOptionIsInEveryShell() throws {
        #expect(Self.options.count > 90)
        for (command, option) in Self.options {
            let part = try #require(
                Completions.bash.script.components(separatedBy: "\n    \(command))\n").last?
                    .components(separatedBy: "\n        ;;").first)
            #expect(part.contains("--\(option) "), "bash: \(command) --\(option)")
            let arguments = try #require(
                Completions.zsh.script.components(separatedBy: "\n    \(command))\n").last?
                    .components(separatedBy: "\n        ;;").first)
            #expect(arguments.contains("*--\(option)["), "zsh: \(command) --\(option)")
            #expect(
                Completions.fish.script.contains("__fish_seen_subcommand_from \(command)' -l \(option) "),
                "fish: \(command) --\(option)")
        }
    }

    @Test func everyOptionIsInTheManual() {
        let manual = ManualPage().text
        for (command, option) in Self.options {
            let escaped = option.replacing("-", with: "\\-")
            #expect(manual.contains("\n.B \\-\\-\(escaped)"), "\(command) --\(option)")
        }
        for command in Callbot.declarations { #expect(manual.contains("\n.B \(command.name)\n\(command.summary)")) }
        #expect(manual.contains("\n.SH CALLBOT RECORD\n"))
        #expect(!manual.split(separator: "\n").contains { $0.hasPrefix("'") })
    }

    /// Bash is asked for what it would offer.
    @Test(arguments: [
        (["rec"], ["record"]), (["layout", "spe"], ["speaker"]), (["render", "x", "--lay"], ["--layout"]),
        (["render", "x", "--codec", ""], ["vp8", "vp9"]), (["render", "x", "--size", ""], []),
        (["help", "do"], ["doctor"]), (["show", "/et"], ["/etc"]),
    ])
    func bashOffersWhatFits(words: [String], offers: [String]) throws {
        let folder = try TemporaryFolder()
        let script = folder.path + "/callbot"
        try Completions.bash.script.write(toFile: script, atomically: true, encoding: .utf8)
        let quoted = (["callbot"] + words).map { "'\($0)'" }.joined(separator: " ")
        let program = """
            compopt() { :; }
            . '\(script)'
            COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count)
            _callbot
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", program]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text.split(separator: "\n").map(String.init) == offers)
    }

    @Test func whatIsNoShellIsMisuse() {
        #expect(Completions(rawValue: "csh") == nil)
    }
}
