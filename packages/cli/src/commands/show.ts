import { type ArchiveInfo, type Message, type Session, SessionError } from "@sessions/protocol";
import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import { wholeNumber } from "../command/parse-arguments.js";
import { counted } from "../render/counted.js";
import { messageLines } from "../render/message-lines.js";
import { sessionLines } from "../render/session-lines.js";
import { isFolded } from "../render/tool-lines.js";
import { toolNames } from "../render/tool-names.js";
import { toolUsesOf } from "../render/tool-uses.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
import type { Terminal } from "../terminal/terminal.js";

interface ShowOptions {
  readonly last: number;
  readonly all?: boolean;
  readonly archived?: boolean;
  readonly full?: boolean;
}

/** `sessions show`. */
export function showCommand(run: Runner): Command {
  return command("show", "shows a session and its newest messages", [
    "show user-42",
    "show user-42 --all --archived --full",
    "show user-42 --json | jq .messages",
  ])
    .argument("<id>", "the session")
    .option("-n, --last <n>", "how many messages", wholeNumber, 20)
    .option("--all", "all live messages")
    .option("--archived", "the archived messages too, before the live ones")
    .option("--full", "inputs and outputs of tools as they are, not shortened")
    .action((id: string, options: ShowOptions, self: Command) =>
      run(self, async ({ open, terminal, json, signal }) => {
        const store = await open();
        const messages = options.all === true ? "all" : { last: options.last };
        const session = required(id, await store.getSession(id, { messages, signal }));
        const archives = options.archived === true ? session.archives : [];
        const archived = await Promise.all(archives.map((each) => store.getArchive(id, each.id, { signal })));
        if (json)
          return terminal.printJson({ ...session, ...(options.archived === true ? { archived } : {}) });
        await terminal.print(...sessionLines(session, terminal.style, terminal.columns));
        await printMessages(terminal, session, archived, options.full === true);
      }),
    );
}

type Archive = ArchiveInfo & { readonly messages: readonly Message[] };

/** Prints the archived messages under a heading for each archive, then the live ones. */
async function printMessages(
  terminal: Terminal,
  session: Session,
  archives: readonly Archive[],
  full: boolean,
): Promise<void> {
  const { style, columns } = terminal;
  const all = [...archives.flatMap(({ messages }) => messages), ...session.messages];
  const tools = { full, names: toolNames(all) };
  const print = async (messages: readonly Message[]): Promise<void> => {
    for (const message of messages) await terminal.print("", ...messageLines(message, style, columns, tools));
  };
  const heading = (text: string): Promise<void> =>
    terminal.print("", style.dim(`—— ${stripControlsLine(text)} ——`));
  for (const { id, messages } of archives) {
    await heading(`archive ${id}: ${counted(messages.length, "message")}`);
    await print(messages);
  }
  if (archives.length > 0) await heading(`live: ${counted(session.messageCount, "message")}`);
  const older = session.messageCount - session.messages.length;
  if (older > 0)
    terminal.note(terminal.noteStyle.dim(`\n${counted(older, "older message")} not shown. --all shows all.`));
  await print(session.messages);
  if (!full && all.flatMap(toolUsesOf).some(isFolded))
    terminal.note(
      terminal.noteStyle.dim("\nInputs and outputs of tools are shortened. --full shows them whole."),
    );
}

/** Throws if the session does not exist, because the user has named it. */
export function required(id: string, session: Session | undefined): Session {
  if (session !== undefined) return session;
  throw SessionError.of("SESSION_NOT_FOUND", `There is no session "${id}". "sessions ls" lists them.`, {
    sessionId: id,
  });
}
