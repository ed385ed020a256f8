import type { SessionStore } from "@sessions/protocol";
import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import type { CommandContext } from "../command/command-context.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { wholeNumber } from "../command/parse-arguments.js";
import { completeTail, jsonTail, terminalTail } from "../render/tail-view.js";
import { followStore } from "../sessions/follow-store.js";
import { followSession, SessionFollower } from "../sessions/session-follower.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
import { required } from "./show.js";

interface TailOptions {
  readonly last?: number;
  readonly follow?: boolean;
}

const DEFAULT_LAST = 10;

/** `sessions tail`. */
export function tailCommand(run: Runner): Command {
  return command("tail", "shows the newest messages, and new ones as they come", [
    "tail user-42",
    "tail -f user-42",
    "tail -f            # new messages of every session",
  ])
    .argument("[id]", "the session; without it, every session (needs -f)")
    .option("-n, --last <n>", `how many messages to begin with (default: ${DEFAULT_LAST})`, wholeNumber)
    .option("-f, --follow", "goes on until Ctrl-C, whichever process writes")
    .addHelpText(
      "after",
      "\nThe answers of one session are shown while they are written, those of every\nsession when they are complete.",
    )
    .action((id: string | undefined, options: TailOptions, self: Command) =>
      run(self, (context) =>
        id === undefined ? tailStore(context, options) : tailSession(context, id, options),
      ),
    );
}

async function tailSession(
  { open, terminal, signal, json }: CommandContext,
  id: string,
  { last = DEFAULT_LAST, follow }: TailOptions,
): Promise<void> {
  const store = await open();
  const view = json ? jsonTail(terminal) : terminalTail(terminal);
  // At least one is read: what comes behind it is new.
  const messages = { last: Math.max(1, last) };
  const session = required(id, await store.getSession(id, { messages, signal }));
  const follower = new SessionFollower(store, id, view, session.messages);
  if (last > 0) await follower.show();
  if (follow === true) await followSession(store, session, follower, signal);
}

async function tailStore(context: CommandContext, { last = 0, follow }: TailOptions): Promise<void> {
  const { open, terminal, signal, json } = context;
  if (follow !== true)
    throw new CommandError(
      "Name a session, or add -f to follow the new messages of every session.",
      EXIT.usage,
    );
  if (last > 0)
    throw new CommandError(
      "-n needs a session. Without one, tail -f begins with what is written now.",
      EXIT.usage,
    );
  const store: SessionStore = await open();
  await followStore(store, {
    signal,
    viewOf: (sessionId) => (json ? jsonTail(terminal, sessionId) : completeTail(terminal, sessionId)),
    onReady: () => {
      if (!json) terminal.note(terminal.noteStyle.dim("Following every session. Ctrl-C ends it."));
    },
    onDamage: (sessionId, error) =>
      terminal.note(
        terminal.noteStyle.bad(stripControlsLine(`${sessionId} cannot be read: ${error.message}`)),
      ),
  });
}
