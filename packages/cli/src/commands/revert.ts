import { SessionError, type SessionStore, type SessionSummary } from "@sessions/protocol";
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
    .option("--snapshot <name>", "to the messages and archives of this snapshot")
    .option("--message <id>", "drops the live messages after this one")
    .option("--force", "ends a turn that is running")
    .option("-y, --yes", "does not ask")
    .action((id: string, { snapshot, message, force, yes }: RevertOptions, self: Command) =>
      run(self, async ({ open, confirm, terminal, json, signal }) => {
        const revert = reversion(snapshot, message);
        const store = await open();
        const before = required(id, await store.getSession(id, { messages: "none", signal }));
        const to = await requireGoal(store, before, revert);
        const options = { force, signal, ifRevision: before.revision };
        await confirm(
          `Revert "${id}" from ${counted(before.messageCount, "live message")} to ${to}?`,
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

interface Reversion {
  readonly to: "snapshot" | "message";
  readonly name: string;
}

/** Describes where the session would go back to. Throws if there is no such snapshot or live message. */
async function requireGoal(
  store: SessionStore,
  { id, snapshots }: Pick<SessionSummary, "id" | "snapshots">,
  { to, name }: Reversion,
): Promise<string> {
  if (to === "snapshot") {
    const snapshot = snapshots.find((each) => each.name === name);
    if (snapshot !== undefined) return `snapshot "${name}" with ${counted(snapshot.messageCount, "message")}`;
    throw SessionError.of(
      "SNAPSHOT_NOT_FOUND",
      noSnapshot(
        id,
        name,
        snapshots.map((each) => each.name),
      ),
      {
        sessionId: id,
        snapshot: name,
      },
    );
  }
  await store.getSession(id, { messages: { after: name } }); // refuses a message that is not live
  return `message ${name}`;
}

function noSnapshot(id: string, name: string, known: readonly string[]): string {
  const others = known.length === 0 ? "It has none." : `It has: ${known.join(", ")}.`;
  return `Session "${id}" has no snapshot "${name}". ${others}`;
}

function reversion(snapshot: string | undefined, message: string | undefined): Reversion {
  if (snapshot !== undefined && message === undefined) return { to: "snapshot", name: snapshot };
  if (message !== undefined && snapshot === undefined) return { to: "message", name: message };
  throw new CommandError("Give one of --snapshot NAME and --message ID.", EXIT.usage);
}
