import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { Command } from "commander";
import { outputTarget } from "../backup/output-target.js";
import { readBack } from "../backup/read-back.js";
import { command, type Runner } from "../command/command.js";
import type { CommandContext } from "../command/command-context.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { BACKUP_HEADER, type BackupFooter } from "../import/formats/backup-check.js";
import { type NewFile, openNewFile } from "../new-file.js";
import { counted, countedAre } from "../render/counted.js";
import {
  allSessions,
  countSessions,
  type DamagedSession,
  damagedSessions,
  exportedOrDamaged,
  requireSoundIndex,
} from "../sessions/all-sessions.js";
import { sessionDigest } from "../sessions/session-digest.js";
import { jsonText } from "../terminal/json-text.js";
import { Progress } from "../terminal/progress.js";
import { stripControlsLine } from "../terminal/strip-controls.js";

/** The name that means standard output. */
const STANDARD_OUTPUT = "-";

/** `sessions backup`. */
export function backupCommand(run: Runner): Command {
  return command("backup", "copies every session into one file, and checks the file", [
    "backup sessions.jsonl.gz",
    "backup - | ssh backup-host 'cat > sessions.jsonl'",
    "import sessions.jsonl.gz --store sqlite:./restored.db",
  ])
    .argument("<file>", "the file, packed if its name ends with .gz; or - for standard output")
    .option("-y, --yes", "overwrites the file without asking")
    .addHelpText(
      "after",
      "\nPrograms may go on using the store: each session is copied as it is at one\nmoment. A file is read back before the command ends; - cannot be.",
    )
    .action((file: string, { yes }: { readonly yes?: boolean }, self: Command) =>
      run(self, (context) =>
        file === STANDARD_OUTPUT ? toOutput(context) : toFile(context, file, yes === true),
      ),
    );
}

async function toFile(context: CommandContext, given: string, yes: boolean): Promise<void> {
  const { terminal } = context;
  const path = resolve(terminal.cwd, given);
  const open = (): Promise<NewFile> => openNewFile(path, () => context.confirm(`Overwrite ${path}?`, yes));
  const { footer, damaged } = await written(context, open, `No file was written: ${path} is as it was.`);
  await readBack(path, footer);
  const { sessions, digest } = footer;
  if (context.json) await terminal.printJson({ file: path, sessions, digest, damaged });
  else
    await terminal.print(
      stripControlsLine(`${countedAre(sessions, "session")} in ${path}.`),
      terminal.style.dim(`sha256 ${digest}`),
    );
  reportDamaged(context, damaged);
}

async function toOutput(context: CommandContext): Promise<void> {
  const { terminal, json } = context;
  if (json)
    throw new CommandError("With - the backup itself goes to standard output. Leave out --json.", EXIT.usage);
  const unfinished =
    'The backup is not complete: it lacks its last line, and "sessions import" reports that.';
  const { footer, damaged } = await written(context, async () => outputTarget(terminal), unfinished);
  terminal.note(`${countedAre(footer.sessions, "session")} in the backup. sha256 ${footer.digest}`);
  reportDamaged(context, damaged);
}

interface Written {
  readonly footer: BackupFooter;
  readonly damaged: readonly DamagedSession[];
}

/** Writes every session that can be read. */
async function written(
  context: CommandContext,
  open: () => Promise<NewFile>,
  unfinished: string,
): Promise<Written> {
  const { terminal, signal } = context;
  const resolved = await context.resolve();
  const store = await context.opened(resolved, "existing");
  await requireSoundIndex(resolved);
  const target = await open();
  const damaged = new Map<string, DamagedSession>();
  const digest = createHash("sha256");
  let sessions = 0;
  context.whenStopped(
    () => `${counted(sessions, "session")} had been copied. ${unfinished} Run the same command again.`,
  );
  const progress = new Progress(terminal, "backing up", await countSessions(store, signal));
  try {
    await target.write(`${jsonText(BACKUP_HEADER)}\n`);
    for await (const { id } of allSessions(store, signal)) {
      signal.throwIfAborted();
      const bundle = await exportedOrDamaged(store, id, signal);
      progress.advance();
      if (bundle === undefined) continue;
      if ("problem" in bundle) {
        damaged.set(id, bundle);
        continue;
      }
      digest.update(`${sessionDigest(id, bundle.session)}\n`);
      await target.write(`${jsonText(bundle)}\n`);
      sessions++;
    }
    const footer: BackupFooter = {
      format: "sessions-backup",
      version: 1,
      sessions,
      digest: digest.digest("hex"),
    };
    await target.write(`${jsonText(footer)}\n`);
    await target.finish();
    progress.complete();
    for await (const each of damagedSessions(resolved, store))
      damaged.set(each.sessionId ?? each.place, each);
    return { footer, damaged: [...damaged.values()] };
  } finally {
    progress.end();
    await target.abandon();
  }
}

/** Names the damaged sessions. Throws, for the exit code, if there are any. */
function reportDamaged({ terminal, json }: CommandContext, damaged: readonly DamagedSession[]): void {
  for (const { sessionId, place } of damaged)
    if (!json)
      terminal.note(
        terminal.noteStyle.bad(stripControlsLine(`Damaged, not in the backup: ${sessionId ?? place}`)),
      );
  if (damaged.length > 0)
    throw new CommandError(
      `${countedAre(damaged.length, "session")} damaged. "sessions doctor" says what is wrong with them.`,
      EXIT.damaged,
    );
}
