import type { Command } from "commander";

/** The commands and options that a shell completes. */
export interface Completion {
  readonly commands: readonly {
    readonly name: string;
    readonly summary: string;
    readonly options: readonly string[];
    /** Whether the command takes a session id. */
    readonly takesId: boolean;
  }[];
  readonly options: readonly string[];
}

/** Collects the commands and options of a program. */
export function completionOf(program: Command): Completion {
  return {
    options: longOptions(program),
    commands: program.commands
      .filter((each) => each.name() !== "complete-ids")
      .map((each) => ({
        name: each.name(),
        summary: each.description(),
        options: longOptions(each),
        takesId: each.registeredArguments.some((argument) => argument.name() === "id"),
      })),
  };
}

function longOptions(command: Command): readonly string[] {
  return [...command.options.flatMap(({ long }) => (long == null ? [] : [long])), "--help"];
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: zsh writes it like this
const ZSH_IDS = '[[ "$PREFIX" == -* ]] || compadd -- ${(f)"$(sessions complete-ids 2>/dev/null)"}; ';

/** The completion scripts, by shell. */
export const COMPLETIONS: Readonly<Record<string, (completion: Completion) => string>> = {
  bash: ({ commands, options }) => `# sessions completion for bash
_sessions() {
  local word="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(" ")} ${options.join(" ")}"
  else
    case "$command" in
${commands.map(({ name, options: own, takesId }) => `      ${name}) words="${[...own, ...options].join(" ")}"; ${takesId ? '[[ "$word" == -* ]] || words="$(sessions complete-ids 2>/dev/null)"' : ":"} ;;`).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _sessions sessions
`,
  zsh: ({ commands, options }) => `#compdef sessions
_sessions() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${commands.map(({ name, summary }) => `      '${name}:${quoted(summary)}'`).join("\n")}
    )
    _describe command commands
    return
  fi
  case "$words[2]" in
${commands.map(({ name, options: own, takesId }) => `    ${name}) ${takesId ? ZSH_IDS : ""}compadd -- ${[...own, ...options].join(" ")} ;;`).join("\n")}
  esac
}
_sessions "$@"
`,
  fish: ({ commands, options }) => `# sessions completion for fish
complete -c sessions -f
${commands.map(({ name, summary }) => `complete -c sessions -n __fish_use_subcommand -a ${name} -d '${quoted(summary)}'`).join("\n")}
${options.map((option) => `complete -c sessions -l ${option.slice(2)}`).join("\n")}
${commands.flatMap(({ name, options: own }) => own.map((option) => `complete -c sessions -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`)).join("\n")}
complete -c sessions -n '__fish_seen_subcommand_from ${commands
    .filter(({ takesId }) => takesId)
    .map(({ name }) => name)
    .join(" ")}' -a '(sessions complete-ids 2>/dev/null)'
`,
};

const quoted = (text: string): string => text.replaceAll("'", "'\\''");
