import { Argument, type Command } from "commander";
import { command, type Runner } from "../command/command.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { COMPLETIONS, completionOf } from "../render/completion-script.js";
import { allSessions } from "../sessions/all-sessions.js";

const SHELLS = Object.keys(COMPLETIONS);

/** `sessions completion`. */
export function completionCommand(run: Runner): Command {
  return command("completion", "prints a script that completes commands and session ids", [
    "completion bash >> ~/.bashrc",
    "completion zsh > ~/.zfunc/_sessions",
    "completion fish > ~/.config/fish/completions/sessions.fish",
  ])
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .action((shell: string, _options: object, self: Command) =>
      run(self, async ({ terminal }) => {
        const script = COMPLETIONS[shell];
        if (self.parent === null || script === undefined)
          throw new CommandError("There is no completion script for this shell.", EXIT.usage);
        await terminal.write(script(completionOf(self.parent)));
      }),
    );
}

/** The command that the completion scripts call for ids. It is not in the help. */
export function idsCommand(run: Runner): Command {
  return command("complete-ids", "prints session ids", []).action((_options: object, self: Command) =>
    run(self, async ({ open, terminal, signal }) => {
      for await (const { id } of allSessions(await open(), signal))
        if (/^[\w.:@/-]+$/.test(id)) await terminal.print(id); // other ids would need quotes, which differ between shells
    }),
  );
}
