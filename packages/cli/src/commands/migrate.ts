import type { SessionStore } from "@sessions/protocol";
import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import type { CommandContext } from "../command/command-context.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { positiveNumber } from "../command/parse-arguments.js";
import { Migration } from "../migrate/migration.js";
import { reportOutcome } from "../migrate/report-outcome.js";
import { summaryOf } from "../migrate/summary.js";
import type { Synced } from "../migrate/sync-session.js";
import { type Outcome, Tally } from "../migrate/tally.js";
import { type Comparison, verifyCopies } from "../migrate/verify-copies.js";
import { countSessions, damagedSessions, requireSoundIndex } from "../sessions/all-sessions.js";
import { Progress } from "../terminal/progress.js";
import { stripControlsLine } from "../terminal/strip-controls.js";

interface MigrateOptions {
  readonly follow?: boolean;
  readonly dryRun?: boolean;
  readonly verify: boolean;
  readonly concurrency: number;
}

/** `sessions migrate`. */
export function migrateCommand(run: Runner): Command {
  return command("migrate", "copies every session to another store, and compares", [
    "migrate file:./sessions sqlite:./sessions.db",
    "migrate file:./sessions sqlite:./sessions.db --dry-run",
    "migrate file:./sessions redis://localhost --follow",
  ])
    .argument("<from>", "the store that is read")
    .argument("<to>", "the store that is written; made if it does not exist")
    .option("--dry-run", "says what would be done, and writes nothing")
    .option("--follow", "then copies every change, until Ctrl-C cuts over")
    .option("--no-verify", "does not read both stores again to compare them")
    .option("--concurrency <n>", "how many sessions are copied at once", positiveNumber, 8)
    .addHelpText(
      "after",
      "\nIf it is stopped or killed, the same command goes on where it was. A session\nthat another program wrote into the target is never overwritten.",
    )
    .action((from: string, to: string, options: MigrateOptions, self: Command) =>
      run(self, (context) => migrate(context, from, to, options)),
    );
}

async function migrate(
  context: CommandContext,
  from: string,
  to: string,
  options: MigrateOptions,
): Promise<void> {
  const { dryRun = false, follow = false } = options;
  const [resolved, destination] = [
    await context.resolveTarget(from, "<from>"),
    await context.resolveTarget(to, "<to>"),
  ];
  if (resolved.location === destination.location)
    throw new CommandError("Both are the same store. Give two different ones.", EXIT.usage);
  const source = await context.opened(resolved, "existing");
  await requireSoundIndex(resolved);
  const tally = new Tally();
  for await (const damaged of damagedSessions(resolved, source)) tally.addDamaged(damaged);
  // A dry run must not make the target.
  const isAbsent = dryRun && destination.exists() === false;
  const target = isAbsent ? undefined : await context.opened(destination, dryRun ? "existing" : "create");
  const summary = (): string => summaryOf(tally.outcome, dryRun);
  context.whenStopped(() => `${summary()} Run the same command again: it goes on from there.`);
  try {
    await copied(context, { source, target, tally }, options);
    const comparison =
      options.verify && !dryRun && target !== undefined
        ? await compared(context, { source, target, tally }, follow)
        : undefined;
    await reportOutcome(context, { outcome: tally.outcome, comparison, dryRun });
  } catch (error) {
    const isReported = error instanceof CommandError || context.signal.aborted;
    if (!isReported) await reportUnfinished(context, tally.outcome, dryRun);
    throw error;
  }
}

/** What was done before the migration failed. The error itself follows. */
async function reportUnfinished(
  { terminal, json }: CommandContext,
  outcome: Outcome,
  dryRun: boolean,
): Promise<void> {
  if (json) return terminal.printJson({ dryRun, ...outcome });
  await terminal.print(`Not finished. ${summaryOf(outcome, dryRun)}`);
  for (const { sessionId, place } of outcome.damaged)
    terminal.note(terminal.noteStyle.bad(stripControlsLine(`Damaged, not copied: ${sessionId ?? place}`)));
  terminal.note("Run the same command again when the reason is mended: it goes on from there.");
}

interface Work {
  readonly source: SessionStore;
  /** Absent in a dry run whose target does not exist. */
  readonly target: SessionStore | undefined;
  readonly tally: Tally;
}

/** Copies all sessions. With `--follow` it then copies changes until Ctrl-C. */
async function copied(
  { terminal, signal }: CommandContext,
  { source, target, tally }: Work,
  { dryRun = false, follow = false, concurrency: atOnce }: MigrateOptions,
): Promise<void> {
  let progress = new Progress(terminal, "copying", await countSessions(source, signal));
  const onSynced = (synced: Synced): void => {
    tally.add(synced);
    progress.advance();
  };
  const migration = new Migration(source, target, { dryRun, follow, atOnce, onSynced });
  await progress.during(migration.copy(signal));
  if (!follow || dryRun) return;
  tally.beginFollowing();
  terminal.note("All copied. Following the source: stop its writers, then press Ctrl-C to cut over.");
  progress = new Progress(terminal, "following");
  await progress.during(migration.follow(signal));
  terminal.note("Cutting over.");
  tally.forgetConflicts();
  progress = new Progress(terminal, "cutting over", await countSessions(source));
  await progress.during(migration.copy());
  await migration.removeDeleted();
  progress.end();
}

async function compared(
  { terminal, signal }: CommandContext,
  { source, target, tally }: Work & { readonly target: SessionStore },
  follow: boolean,
): Promise<Comparison> {
  const progress = new Progress(terminal, "comparing", await countSessions(source));
  const events = {
    onSession: () => progress.advance(),
    onDamaged: (sessionId: string, problem: string) =>
      tally.addDamaged({ sessionId, place: "the source", problem }),
  };
  // The first signal has ended the copying of changes. Only a second one ends the comparison.
  return progress.during(verifyCopies(source, target, events, follow ? undefined : signal));
}
