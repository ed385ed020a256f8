import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { counted } from "../render/counted.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
import { required } from "./show.js";

interface RevertOptions {
  readonly snapshot?: string;
  readonly message?: string;
  readonly force?: boolean;
  readonly yes?: boolean;
}

/** `sessions revert`. */
export function revertCommand(run: Runner): Command {
  return command("revert", "goes back to a snapshot or a message", [
    "revert user-42 --snapshot before",
    "revert user-42 --message msg-7 --yes",
  ])
    .argument("<id>", "the session")
    .option("--snapshot <name>", "to exactly what this snapshot names")
    .option("--message <id>", "drops the live messages after this one")
    .option("--force", "ends a turn that is running")
    .option("-y, --yes", "does not ask")
    .action((id: string, { snapshot, message, force, yes }: RevertOptions, self: Command) =>
      run(self, async ({ open, confirm, terminal, json, signal }) => {
        const store = await open();
        const before = required(id, await store.getSession(id, { messages: "none", signal }));
        const options = { force, signal, ifRevision: before.revision };
        const revert = reversion(snapshot, message);
        await confirm(
          `Revert "${id}", which has ${counted(before.messageCount, "message")} now?`,
          yes === true,
        );
        const { revision } =
          revert.to === "snapshot"
            ? await store.revertToSnapshot(id, revert.name, options)
            : await store.revertToMessage(id, revert.name, options);
        const after = required(id, await store.getSession(id, { messages: "none", signal }));
        if (json) await terminal.printJson({ sessionId: id, revision, messageCount: after.messageCount });
        else
          await terminal.print(
            stripControlsLine(
              `"${id}" has ${counted(after.messageCount, "message")} now, at revision ${revision}.`,
            ),
          );
      }),
    );
}

function reversion(
  snapshot: string | undefined,
  message: string | undefined,
): { readonly to: "snapshot" | "message"; readonly name: string } {
  if (snapshot !== undefined && message === undefined) return { to: "snapshot", name: snapshot };
  if (message !== undefined && snapshot === undefined) return { to: "message", name: message };
  throw new CommandError("Say where to: --snapshot NAME or --message ID.", EXIT.usage);
}
