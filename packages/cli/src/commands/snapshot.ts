import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import { stamp } from "../render/age.js";
import { counted } from "../render/counted.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
import { required } from "./show.js";

interface SnapshotOptions {
  readonly list?: boolean;
  readonly drop?: string;
}

/** `sessions snapshot`. */
export function snapshotCommand(run: Runner): Command {
  return command("snapshot", "saves the state of a session under a name", [
    "snapshot user-42 before",
    "snapshot user-42 --list",
    "snapshot user-42 --drop before",
  ])
    .argument("<id>", "the session")
    .argument("[name]", "the name (default: generated)")
    .option("--list", "lists the snapshots")
    .option("--drop <name>", "removes a snapshot; the messages stay as they are")
    .action((id: string, name: string | undefined, { list, drop }: SnapshotOptions, self: Command) =>
      run(self, async ({ open, terminal, json, signal }) => {
        const store = await open();
        if (list === true) {
          const { snapshots } = required(id, await store.getSession(id, { messages: "none", signal }));
          for (const each of snapshots) {
            if (json) await terminal.printJson(each);
            else
              await terminal.print(
                `${stripControlsLine(each.name)}  ${counted(each.messageCount, "message")}, ${stamp(each.createdAt)}`,
              );
          }
          return;
        }
        if (drop !== undefined) {
          const { revision } = await store.dropSnapshot(id, drop, { signal });
          if (json) await terminal.printJson({ sessionId: id, dropped: drop, revision });
          else await terminal.print(`Removed snapshot ${stripControlsLine(drop)}.`);
          return;
        }
        const made = await store.createSnapshot(id, name, { signal });
        if (json) await terminal.printJson({ sessionId: id, name: made.name, revision: made.revision });
        else await terminal.print(stripControlsLine(made.name));
      }),
    );
}
