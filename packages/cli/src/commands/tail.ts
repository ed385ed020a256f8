import type { SessionStore } from "@sessions/protocol";
import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import type { CommandContext } from "../command/command-context.js";
import { wholeNumber } from "../command/parse-arguments.js";
import { stamp } from "../render/age.js";
import { jsonTail, terminalTail } from "../render/tail-view.js";
import { followSession } from "../sessions/follow-session.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
import { required } from "./show.js";

interface TailOptions {
  readonly last: number;
  readonly follow?: boolean;
}

/** `sessions tail`. */
export function tailCommand(run: Runner): Command {
  return command("tail", "shows the newest messages, and those to come", [
    "tail user-42",
    "tail -f user-42",
    "tail -f            # what changes anywhere in the store",
  ])
    .argument("[id]", "the session; without it, all of the store (with -f)")
    .option("-n, --last <n>", "how many messages to begin with", wholeNumber, 10)
    .option("-f, --follow", "goes on until Ctrl-C: answers as they are written, by any process")
    .action((id: string | undefined, options: TailOptions, self: Command) =>
      run(self, async (context) => {
        const store = await context.open();
        if (id === undefined) return followStore(store, context);
        const { terminal, signal, json } = context;
        const view = json ? jsonTail(terminal) : terminalTail(terminal);
        const session = required(
          id,
          await store.getSession(id, { messages: { last: options.last }, signal }),
        );
        await followSession(store, session, view, { follow: options.follow === true, signal });
      }),
    );
}

async function followStore(store: SessionStore, { terminal, signal, json }: CommandContext): Promise<void> {
  for await (const change of store.watch({ signal })) {
    const { sessionId, revision, at, deleted } = change;
    if (json)
      await terminal.printJson({
        event: "change",
        sessionId,
        revision,
        at,
        ...(deleted === true ? { deleted } : {}),
      });
    else
      await terminal.print(
        `${terminal.style.dim(stamp(at))}  ${terminal.style.name(stripControlsLine(sessionId))}  ${deleted === true ? terminal.style.bad("deleted") : `revision ${revision}`}`,
      );
  }
  signal.throwIfAborted();
}
