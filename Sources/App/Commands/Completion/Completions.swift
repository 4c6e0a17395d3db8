/// What makes shells complete `callbot`: a script for each, made from the declarations of the commands.
package enum Completions: String, CaseIterable, Sendable {
    case bash, zsh, fish

    package var script: String {
        switch self {
        case .bash: Self.bashScript(Callbot.declarations)
        case .zsh: Self.zshScript(Callbot.declarations)
        case .fish: Self.fishScript(Callbot.declarations)
        }
    }

    private var title: String {
        "callbot's completions for \(rawValue), made by 'callbot help --completions \(rawValue)'"
    }

    // MARK: - bash

    private static func bashScript(_ commands: [CommandDeclaration]) -> String {
        let names = commands.map(\.name).joined(separator: " ")
        var lines = [
            "# \(Completions.bash.title)", "_callbot() {",
            "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= words=",
            "    COMPREPLY=()",
            "    if ((COMP_CWORD == 1)); then",
            "        mapfile -t COMPREPLY < <(compgen -W '\(names)' -- \"$word\")",
            "        return", "    fi",
            "    case ${COMP_WORDS[1]} in",
        ]
        for command in commands {
            lines.append("    \(command.name))")
            lines.append(
                "        options='\((command.options.map { "--\($0.name)" } + ["--help"]).joined(separator: " "))'")
            if !command.words.isEmpty { lines.append("        words='\(command.words.joined(separator: " "))'") }
            let valued = command.options.filter { $0.valueName != nil }
            if !valued.isEmpty {
                lines.append("        case $before in")
                for option in valued {
                    let names = "--\(option.name)" + (option.letter.map { "|-\($0)" } ?? "")
                    lines.append("        \(names)) \(bashValue(option)) ;;")
                }
                lines.append("        esac")
            }
            lines.append("        ;;")
        }
        return
            (lines + [
                "    esac", "    if [[ $word == -* ]]; then",
                "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")", "    else",
                "        compopt -o filenames",
                "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\"; compgen -f -- \"$word\")",
                "    fi", "}", "complete -F _callbot callbot", "",
            ]).joined(separator: "\n")
    }

    private static func bashValue(_ option: CommandDeclaration.Option) -> String {
        let choices =
            option.choices.isEmpty ? [] : ["compgen -W '\(option.choices.joined(separator: " "))' -- \"$word\""]
        let all = choices + (option.takesPath ? ["compgen -f -- \"$word\""] : [])
        guard !all.isEmpty else { return "return" }
        let filenames = option.takesPath ? "compopt -o filenames; " : ""
        return "\(filenames)mapfile -t COMPREPLY < <(\(all.joined(separator: "; "))); return"
    }

    // MARK: - zsh

    private static func zshScript(_ commands: [CommandDeclaration]) -> String {
        var lines = ["#compdef callbot", "# \(Completions.zsh.title)", "_callbot() {", "    local -a commands=("]
        lines += commands.map { "        \(quoted("\($0.name):\($0.summary)"))" }
        lines += [
            "    )", "    if ((CURRENT == 2)); then", "        _describe -t commands command commands",
            "        return",
            "    fi", "    local command=$words[2]", "    shift words", "    ((CURRENT--))", "    case $command in",
        ]
        for command in commands {
            lines.append("    \(command.name))")
            var specifications: [String] = []
            for option in command.options {
                let names = ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
                for name in names {
                    specifications.append(
                        quoted(
                            "*\(name)[\(bracketed(option.gist))]" + (option.valueName.map { ":\($0):" } ?? "")
                                + zshValue(option)))
                }
            }
            specifications.append(quoted("--help[Explain this command]"))
            specifications.append(
                quoted(
                    command.words.isEmpty
                        ? "*:file:_files"
                        : "*:word:{ compadd -- \(command.words.joined(separator: " ")); _files }"))
            lines.append("        _arguments " + specifications.joined(separator: " \\\n            "))
            lines.append("        ;;")
        }
        return (lines + ["    esac", "}", "_callbot \"$@\"", ""]).joined(separator: "\n")
    }

    private static func zshValue(_ option: CommandDeclaration.Option) -> String {
        guard option.valueName != nil else { return "" }
        let choices = option.choices.joined(separator: " ")
        return switch (option.choices.isEmpty, option.takesPath) {
        case (true, true): "_files"
        case (true, false): " "
        case (false, true): "{ compadd -- \(choices); _files }"
        case (false, false): "(\(choices))"
        }
    }

    private static func bracketed(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
            .replacing(":", with: "\\:")
    }

    /// For bash and zsh.
    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

    // MARK: - fish

    private static func fishScript(_ commands: [CommandDeclaration]) -> String {
        func quoted(_ text: String) -> String {
            "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
        }
        var lines = ["# \(Completions.fish.title)"]
        for command in commands {
            lines.append(
                "complete -c callbot -n __fish_use_subcommand -f -a \(command.name) -d \(quoted(command.summary))")
        }
        for command in commands {
            let start = "complete -c callbot -n '__fish_seen_subcommand_from \(command.name)'"
            if !command.words.isEmpty { lines.append("\(start) -a \(quoted(command.words.joined(separator: " ")))") }
            for option in command.options {
                var line = "\(start) -l \(option.name)" + (option.letter.map { " -s \($0)" } ?? "")
                if option.valueName != nil { line += option.takesPath ? " -r -F" : " -x" }
                if !option.choices.isEmpty { line += " -a \(quoted(option.choices.joined(separator: " ")))" }
                lines.append(line + " -d \(quoted(option.gist))")
            }
            lines.append("\(start) -l help -d \(quoted("Explain this command"))")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
