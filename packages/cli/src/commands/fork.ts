import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { stripControlsLine } from "../terminal/strip-controls.js";

interface ForkOptions {
  readonly at?: string;
  readonly snapshot?: string;
  readonly as?: string;
  readonly title?: string;
}

/** `sessions fork`. */
export function forkCommand(run: Runner): Command {
  return command("fork", "copies a session into a new one", [
    "fork user-42",
    "fork user-42 --at msg-7 --as what-if --title 'What if'",
    "fork user-42 --snapshot before",
  ])
    .argument("<id>", "the session")
    .option("--at <message>", "up to this message")
    .option("--snapshot <name>", "from this snapshot")
    .option("--as <id>", "the new session's id (default: generated)")
    .option("--title <title>", "the new session's title")
    .action((id: string, { at, snapshot, as: newId, title }: ForkOptions, self: Command) =>
      run(self, async ({ open, terminal, json, signal }) => {
        if (at !== undefined && snapshot !== undefined)
          throw new CommandError("Give only one of --at and --snapshot.", EXIT.usage);
        const store = await open();
        const from = snapshot === undefined ? at : { snapshot };
        const { sessionId, revision } = await store.forkSession(id, { at: from, newId, title }, { signal });
        if (json) await terminal.printJson({ sessionId, revision, parent: id });
        else await terminal.print(stripControlsLine(sessionId));
      }),
    );
}
