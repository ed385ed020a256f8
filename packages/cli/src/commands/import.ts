import { resolve } from "node:path";
import { type SessionBundle, SessionError, type SessionStore } from "@sessions/protocol";
import { type Command, Option } from "commander";
import { command, type Runner } from "../command/command.js";
import type { CommandContext } from "../command/command-context.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { chosenKind, FROM } from "../import/choose-kind.js";
import { STANDARD_INPUT } from "../import/file-lines.js";
import type { Imported } from "../import/imported-session.js";
import { InputCutOff } from "../import/input-cut-off.js";
import { noSessionsIn } from "../import/no-sessions.js";
import { SOURCES } from "../import/sources.js";
import type { UnreadableInput } from "../import/unreadable-input.js";
import { counted } from "../render/counted.js";
import { Progress } from "../terminal/progress.js";
import { stripControlsLine } from "../terminal/strip-controls.js";

interface ImportOptions {
  readonly from: string;
  readonly as?: string;
}

/** `sessions import`. */
export function importCommand(run: Runner): Command {
  return command("import", "imports sessions from a file or a folder", [
    "import backup.jsonl",
    "import --from auto chats.jsonl --store sqlite:./sessions.db",
    "import --from praisonai ~/.praison/sessions",
  ])
    .argument("<path>", "a file, a folder of files, or - for exported sessions from a pipe")
    .addOption(
      new Option("--from <kind>", "what the files hold; auto finds out").choices(FROM).default("bundle"),
    )
    .option("--as <id>", "the id for the session, if there is only one")
    .addHelpText(
      "after",
      "\nbundle is what export and backup write. An import may be repeated: a session\nthat is there already is neither changed nor imported twice.",
    )
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
  const source = SOURCES[await chosenKind(path, from)];
  let store: Promise<SessionStore> | undefined;
  // Opened after a session was read, so that a wrong path creates no store.
  const target = (): Promise<SessionStore> => (store ??= context.open("create"));
  const progress = new Progress(context.terminal, "importing");
  const counts: Counts = { imported: 0, same: 0, refused: 0, skipped: 0 };
  context.whenStopped(() => `${importedText(counts)} Run the same command again to import the rest.`);
  try {
    for await (const item of source(path)) {
      context.signal.throwIfAborted();
      if (newId !== undefined && counts.imported + counts.same + counts.refused > 0)
        throw new CommandError("--as is for a single session, and there are several.", EXIT.usage);
      const { bundle, unreadable } = item;
      const outcome = bundle === undefined ? undefined : await importOne(await target(), bundle, newId);
      counts[outcome?.status ?? "skipped"] += outcome === undefined ? unreadable.length : 1;
      progress.advance();
      await reportItem(context, item, outcome);
    }
  } catch (error) {
    if (!(error instanceof InputCutOff)) throw error;
    throw new CommandError(
      `${path} is cut off: ${error.evidence}. ${importedText(counts)} What follows is missing.`,
      EXIT.damaged,
      { cause: error },
    );
  } finally {
    progress.end();
  }
  if (counts.skipped === 0) await target(); // a backup of an empty store creates an empty store
  if (!context.json) await context.terminal.print(importedText(counts));
  if (counts.refused > 0)
    throw new CommandError(`${counted(counts.refused, "session")} refused.`, EXIT.refused);
  if (counts.skipped > 0) throw incomplete(path, counts);
}

type Counts = { [status in Outcome["status"] | "skipped"]: number };

function importedText({ imported, same }: Counts): string {
  return `Imported ${counted(imported, "session")}, ${same} were there already.`;
}

async function reportItem(
  { terminal, json }: CommandContext,
  { unreadable, notes }: Imported,
  outcome: Outcome | undefined,
): Promise<void> {
  if (json) return terminal.printJson({ ...(outcome ?? { status: "skipped" }), notes, asides: unreadable });
  const about = outcome === undefined ? "" : `${outcome.sessionId}: `;
  if (outcome?.problem !== undefined)
    terminal.note(terminal.noteStyle.bad(stripControlsLine(`${about}${outcome.problem}`)));
  const kept = (line: number | undefined): string => {
    if (outcome !== undefined) return 'It is kept in the metadata of the session, in "aside".';
    return line === undefined ? "It was not imported." : "That line was not imported.";
  };
  for (const note of [...notes, ...unreadable.map((one) => `${describeUnreadable(one)}. ${kept(one.line)}`)])
    terminal.note(stripControlsLine(about + note));
}

/** Some of the input is in no session. */
function incomplete(path: string, { imported, same, skipped }: Counts): CommandError {
  if (imported + same === 0) return noSessionsIn(path);
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
