import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { stripControlsLine } from "../terminal/strip-controls.js";

interface RmOptions {
  readonly cascade?: boolean;
  readonly yes?: boolean;
}

/** `sessions rm`. */
export function rmCommand(run: Runner): Command {
  return command("rm", "deletes sessions, after asking", [
    "rm user-42",
    "rm user-42 user-43 --yes",
    "rm user-42 --cascade",
  ])
    .argument("<id...>", "the sessions")
    .option("--cascade", "with their forks, and theirs")
    .option("-y, --yes", "does not ask")
    .action((ids: readonly string[], { cascade, yes }: RmOptions, self: Command) =>
      run(self, async ({ open, confirm, terminal, json, signal }) => {
        const store = await open();
        const what = ids.length === 1 ? `"${ids[0]}"` : `${ids.length} sessions`;
        await confirm(`Delete ${what}${cascade === true ? " with all forks" : ""} for good?`, yes === true);
        let absent = 0;
        for (const id of ids) {
          signal.throwIfAborted();
          const deleted = await store.deleteSession(id, { cascade });
          if (!deleted) absent++;
          if (json) await terminal.printJson({ sessionId: id, deleted });
          else
            await terminal.print(
              deleted ? stripControlsLine(`Deleted ${id}.`) : stripControlsLine(`There is no ${id}.`),
            );
        }
        if (absent > 0) throw new CommandError(`${absent} of ${ids.length} were not there.`, EXIT.notFound);
      }),
    );
}
