import { type Session, SessionError } from "@sessions/protocol";
import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import { wholeNumber } from "../command/parse-arguments.js";
import { counted } from "../render/counted.js";
import { messageLines } from "../render/message-lines.js";
import { sessionLines } from "../render/session-lines.js";

interface ShowOptions {
  readonly last: number;
  readonly all?: boolean;
  readonly archived?: boolean;
}

/** `sessions show`. */
export function showCommand(run: Runner): Command {
  return command("show", "shows a session and its newest messages", [
    "show user-42",
    "show user-42 --all --archived",
    "show user-42 --json | jq .messages",
  ])
    .argument("<id>", "the session")
    .option("-n, --last <n>", "how many messages", wholeNumber, 20)
    .option("--all", "all live messages")
    .option("--archived", "the archived messages too, before the others")
    .action((id: string, options: ShowOptions, self: Command) =>
      run(self, async ({ open, terminal, json, signal }) => {
        const store = await open();
        const messages = options.all === true ? "all" : { last: options.last };
        const session = required(id, await store.getSession(id, { messages, signal }));
        const archives = options.archived === true ? session.archives : [];
        const archived = await Promise.all(archives.map((each) => store.getArchive(id, each.id, { signal })));
        if (json)
          return terminal.printJson({ ...session, ...(options.archived === true ? { archived } : {}) });
        const all = [...archived.flatMap((each) => each.messages), ...session.messages];
        await terminal.print(...sessionLines(session, terminal.style, terminal.columns));
        for (const message of all)
          await terminal.print("", ...messageLines(message, terminal.style, terminal.columns));
        const left = session.messageCount - session.messages.length;
        if (left > 0)
          terminal.note(terminal.noteStyle.dim(`\n${counted(left, "older message")}. --all shows all.`));
      }),
    );
}

/** Throws if the session does not exist, because the user has named it. */
export function required(id: string, session: Session | undefined): Session {
  if (session !== undefined) return session;
  throw SessionError.of("SESSION_NOT_FOUND", `There is no session "${id}". "sessions ls" lists them.`, {
    sessionId: id,
  });
}
