import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { SessionBundle, SessionStore } from "@sessions/protocol";
import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { type BackupFooter, isBundle, isFooter } from "../import/formats/bundle.js";
import { jsonLines } from "../import/json-lines.js";
import { openNewFile } from "../new-file.js";
import { countedAre } from "../render/counted.js";
import {
  allSessions,
  countSessions,
  type DamagedSession,
  damagedSessions,
  exportIfThere,
  isDamage,
  requireSoundIndex,
} from "../sessions/all-sessions.js";
import { sessionDigest } from "../sessions/session-digest.js";
import { Progress } from "../terminal/progress.js";
import { stripControlsLine } from "../terminal/strip-controls.js";

/** `sessions backup`. */
export function backupCommand(run: Runner): Command {
  return command("backup", "copies every session into one file, and reads it back", [
    "backup sessions.jsonl.gz",
    "import sessions.jsonl.gz --store sqlite:./restored.db",
  ])
    .argument("<file>", "the file; packed if its name ends with .gz")
    .option("-y, --yes", "overwrites the file without asking")
    .addHelpText("after", "\nThe store may be in use: each session is copied at one moment of its own.")
    .action((given: string, { yes }: { readonly yes?: boolean }, self: Command) =>
      run(self, async (context) => {
        const { terminal, signal, json } = context;
        const path = resolve(terminal.cwd, given);
        const resolved = await context.resolve();
        const store = await context.opened(resolved, "existing");
        await requireSoundIndex(resolved);
        const file = await openNewFile(path, () => context.confirm(`Overwrite ${path}?`, yes === true));
        const progress = new Progress(terminal, "backing up", await countSessions(store, signal));
        const digest = createHash("sha256");
        const damaged = new Map<string, DamagedSession>();
        let sessions = 0;
        try {
          for await (const { id } of allSessions(store, signal)) {
            signal.throwIfAborted();
            const bundle = await exportedOrDamaged(store, id, signal);
            progress.advance();
            if (bundle === undefined) continue;
            if ("problem" in bundle) {
              damaged.set(id, bundle);
              continue;
            }
            sessions++;
            digest.update(`${sessionDigest(id, bundle.session)}\n`);
            await file.write(`${JSON.stringify(bundle)}\n`);
          }
          const footer: BackupFooter = {
            format: "sessions-backup",
            version: 1,
            sessions,
            digest: digest.digest("hex"),
          };
          await file.write(`${JSON.stringify(footer)}\n`);
          await file.finish();
          await readBack(path, footer);
          for await (const each of damagedSessions(resolved, store))
            damaged.set(each.sessionId ?? each.place, each);
          progress.end();
          if (json)
            await terminal.printJson({
              file: path,
              sessions,
              digest: footer.digest,
              damaged: [...damaged.values()],
            });
          else
            await terminal.print(
              stripControlsLine(`${countedAre(sessions, "session")} in ${path}.`),
              terminal.style.dim(`sha256 ${footer.digest}`),
            );
          for (const { sessionId, place } of damaged.values())
            if (!json)
              terminal.note(
                terminal.noteStyle.bad(
                  stripControlsLine(`Damaged, not in the backup: ${sessionId ?? place}`),
                ),
              );
          if (damaged.size > 0)
            throw new CommandError(
              `${countedAre(damaged.size, "session")} damaged. Run: sessions doctor`,
              EXIT.damaged,
            );
        } finally {
          progress.end();
          await file.abandon();
        }
      }),
    );
}

/** A session of which only a read of the whole finds out that it is damaged is named, and does not keep others out. */
async function exportedOrDamaged(
  store: SessionStore,
  sessionId: string,
  signal: AbortSignal,
): Promise<SessionBundle | DamagedSession | undefined> {
  try {
    return await exportIfThere(store, sessionId, signal);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { sessionId, place: "the store", problem: error.message };
  }
}

/** Reads the backup again, because a backup that cannot be read is useless. */
async function readBack(path: string, expected: BackupFooter): Promise<void> {
  const digest = createHash("sha256");
  let footer: BackupFooter | undefined;
  for await (const line of jsonLines(path)) {
    if ("unreadable" in line) throw unreadable(path);
    if (isBundle(line.value)) digest.update(`${sessionDigest(line.value.sessionId, line.value.session)}\n`);
    else if (isFooter(line.value)) footer = line.value;
  }
  if (footer?.digest !== expected.digest || digest.digest("hex") !== expected.digest) throw unreadable(path);
}

function unreadable(path: string): Error {
  return new CommandError(
    `${path} was written, and what is read from it is not the same. Do not rely on it.`,
    EXIT.damaged,
  );
}
