import { resolve } from "node:path";
import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { openNewFile } from "../new-file.js";
import { counted, countedAre } from "../render/counted.js";
import {
  allSessions,
  countSessions,
  type DamagedSession,
  damagedSessions,
  exportedOrDamaged,
} from "../sessions/all-sessions.js";
import { jsonText } from "../terminal/json-text.js";
import { Progress } from "../terminal/progress.js";
import { stripControlsLine } from "../terminal/strip-controls.js";

interface ExportOptions {
  readonly all?: boolean;
  readonly output?: string;
  readonly yes?: boolean;
}

/** `sessions export`. */
export function exportCommand(run: Runner): Command {
  return command("export", "writes sessions as portable JSON, one on each line", [
    "export user-42 > user-42.json",
    "export --all -o all.jsonl",
    "export user-42 | sessions import - --store sqlite:./b.db",
  ])
    .argument("[id...]", "the sessions")
    .option("--all", "every session")
    .option("-o, --output <file>", "into this file (default: standard output)")
    .option("-y, --yes", "overwrites the file without asking")
    .action((ids: readonly string[], { all, output, yes }: ExportOptions, self: Command) =>
      run(self, async (context) => {
        const { terminal, signal } = context;
        if ((all === true) === ids.length > 0)
          throw new CommandError("Name the sessions to export, or give --all.", EXIT.usage);
        const resolved = await context.resolve();
        const store = await context.opened(resolved, "existing");
        const path = output === undefined ? undefined : resolve(terminal.cwd, output);
        const file =
          path === undefined
            ? undefined
            : await openNewFile(path, () => context.confirm(`Overwrite ${path}?`, yes === true));
        const progress = new Progress(
          terminal,
          "exporting",
          all === true ? await countSessions(store, signal) : ids.length,
        );
        const damaged = new Map<string, DamagedSession>();
        let done = 0;
        context.whenStopped(() => {
          const left = path === undefined ? "The output is not complete." : `${path} is as it was.`;
          return `${counted(done, "session")} had been exported. ${left} Run the same command again.`;
        });
        try {
          for await (const id of all === true ? idsOf(allSessions(store, signal)) : ids) {
            signal.throwIfAborted();
            const bundle = await (all === true
              ? exportedOrDamaged(store, id, signal)
              : store.exportSession(id, { signal }));
            progress.advance();
            if (bundle === undefined) continue; // deleted since it was listed
            if ("problem" in bundle) {
              damaged.set(id, bundle);
              continue;
            }
            const line = `${jsonText(bundle)}\n`;
            await (file === undefined ? terminal.write(line) : file.write(line));
            done++;
          }
          await file?.finish();
          progress.complete();
        } finally {
          progress.end();
          await file?.abandon();
        }
        if (all === true)
          for await (const each of damagedSessions(resolved, store))
            damaged.set(each.sessionId ?? each.place, each);
        for (const name of damaged.keys())
          terminal.note(terminal.noteStyle.bad(stripControlsLine(`Damaged, not exported: ${name}`)));
        if (damaged.size > 0)
          throw new CommandError(
            `${countedAre(damaged.size, "session")} damaged. "sessions doctor" says what is wrong with them.`,
            EXIT.damaged,
          );
      }),
    );
}

async function* idsOf(sessions: AsyncIterable<{ readonly id: string }>): AsyncGenerator<string> {
  for await (const { id } of sessions) yield id;
}
