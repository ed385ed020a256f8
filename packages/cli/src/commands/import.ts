import { resolve } from "node:path";
import { type SessionBundle, SessionError, type SessionStore } from "@sessions/protocol";
import { type Command, Option } from "commander";
import { command, type Runner } from "../command/command.js";
import type { CommandContext } from "../command/command-context.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { STANDARD_INPUT } from "../import/file-lines.js";
import { noSessionsIn } from "../import/no-sessions.js";
import { SOURCES } from "../import/sources.js";
import type { UnreadableInput } from "../import/unreadable-input.js";
import { counted, countedAre } from "../render/counted.js";
import { Progress } from "../terminal/progress.js";
import { stripControlsLine } from "../terminal/strip-controls.js";

interface ImportOptions {
  readonly from: string;
  readonly as?: string;
}

/** `sessions import`. */
export function importCommand(run: Runner): Command {
  return command("import", "brings sessions in, from files of ours or of other systems", [
    "import backup.jsonl",
    "import --from openai-jsonl chats.jsonl --store sqlite:./sessions.db",
    "import --from praisonai ~/.praison/sessions",
  ])
    .argument("<path>", "a file, a folder of them, or - for bundles that are piped in")
    .addOption(new Option("--from <kind>", "what it is").choices(Object.keys(SOURCES)).default("bundle"))
    .option("--as <id>", "another id for the session, if it is one")
    .addHelpText("after", "\nAn import may be repeated: what is there already stays, and is not doubled.")
    .action((path: string, options: ImportOptions, self: Command) =>
      run(self, (context) => {
        const place = path === STANDARD_INPUT ? path : resolve(context.terminal.cwd, path);
        return importAll(context, place, options);
      }),
    );
}

async function importAll(
  context: CommandContext,
  path: string,
  { from, as: newId }: ImportOptions,
): Promise<void> {
  const { terminal, signal, json } = context;
  const source = SOURCES[from];
  if (source === undefined) throw new CommandError(`--from ${from}: there is no such kind.`, EXIT.usage);
  let store: Promise<SessionStore> | undefined;
  // Opened after a session was read, so that a wrong path creates no store.
  const target = (): Promise<SessionStore> => (store ??= context.open("create"));
  const progress = new Progress(terminal, "importing");
  const counts = { imported: 0, same: 0, refused: 0, skipped: 0 };
  for await (const { bundle, unreadable, notes } of source(path)) {
    signal.throwIfAborted();
    if (newId !== undefined && counts.imported + counts.same + counts.refused > 0)
      throw new CommandError("--as is for a single session, and there are several.", EXIT.usage);
    const outcome = bundle === undefined ? undefined : await importOne(await target(), bundle, newId);
    counts[outcome?.status ?? "skipped"] += outcome === undefined ? unreadable.length : 1;
    progress.advance();
    if (json) await terminal.printJson({ ...(outcome ?? { status: "skipped" }), notes, asides: unreadable });
    else {
      const about = outcome === undefined ? "" : `${outcome.sessionId}: `;
      if (outcome?.problem !== undefined)
        terminal.note(terminal.noteStyle.bad(stripControlsLine(`${about}${outcome.problem}`)));
      const kept = outcome === undefined ? "It is not imported." : "It is kept aside.";
      for (const note of [...notes, ...unreadable.map((one) => `${describeUnreadable(one)}. ${kept}`)])
        terminal.note(stripControlsLine(about + note));
    }
  }
  progress.end();
  if (counts.skipped === 0) await target(); // a backup of an empty store creates an empty store
  if (!json) await terminal.print(`Imported ${counts.imported}, ${counts.same} were there already.`);
  if (counts.refused > 0)
    throw new CommandError(`${countedAre(counts.refused, "session")} refused.`, EXIT.refused);
  if (counts.skipped > 0) throw incomplete(path, counts.imported + counts.same, counts.skipped);
}

/** Some of the input is in no session. */
function incomplete(path: string, sessions: number, skipped: number): CommandError {
  if (sessions === 0) return noSessionsIn(path);
  return new CommandError(`${counted(skipped, "part")} of ${path} could not be read.`, EXIT.damaged);
}

interface Outcome {
  readonly status: "imported" | "same" | "refused";
  readonly sessionId: string;
  readonly problem?: string;
}

async function importOne(
  store: SessionStore,
  bundle: SessionBundle,
  newId: string | undefined,
): Promise<Outcome> {
  try {
    const { sessionId, duplicate } = await store.importSession(bundle, { newId });
    return { status: duplicate ? "same" : "imported", sessionId };
  } catch (error) {
    if (!SessionError.is(error, "SESSION_EXISTS", "INVALID_ARGUMENT", "TOO_LARGE", "FORMAT_UNSUPPORTED"))
      throw error;
    return { status: "refused", sessionId: newId ?? bundle.sessionId, problem: error.message };
  }
}

function describeUnreadable({ file, line, problem }: UnreadableInput): string {
  return `${file}${line === undefined ? "" : ` line ${line}`} ${problem}`;
}
