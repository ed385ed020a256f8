import type { SessionStore } from "@sessions/protocol";
import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import type { CommandContext } from "../command/command-context.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { positiveNumber } from "../command/parse-arguments.js";
import { Migration } from "../migrate/migration.js";
import { reportOutcome } from "../migrate/report-outcome.js";
import type { Synced } from "../migrate/sync-session.js";
import { Tally } from "../migrate/tally.js";
import { type Comparison, verifyCopies } from "../migrate/verify-copies.js";
import { countSessions, damagedSessions, requireSoundIndex } from "../sessions/all-sessions.js";
import { Progress } from "../terminal/progress.js";

interface MigrateOptions {
  readonly follow?: boolean;
  readonly dryRun?: boolean;
  readonly verify: boolean;
  readonly concurrency: number;
}

/** `sessions migrate`. */
export function migrateCommand(run: Runner): Command {
  return command("migrate", "copies every session to another store, and proves it", [
    "migrate file:./sessions sqlite:./sessions.db",
    "migrate file:./sessions sqlite:./sessions.db --dry-run",
    "migrate file:./sessions redis://localhost --follow",
  ])
    .argument("<from>", "the store that is read")
    .argument("<to>", "the store that is written; it is made if need be")
    .option("--dry-run", "tells what would be done, and writes nothing")
    .option("--follow", "then keeps the target in step, until Ctrl-C cuts over")
    .option("--no-verify", "does not read both stores again to compare them")
    .option("--concurrency <n>", "how many sessions are copied at once", positiveNumber, 8)
    .addHelpText(
      "after",
      "\nKilled or stopped, the same command goes on where it was. A session that\nsomebody else wrote into the target is never overwritten.",
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
  const [resolved, destination] = [await context.resolve(from), await context.resolve(to)];
  if (resolved.location === destination.location)
    throw new CommandError("Both are the same store.", EXIT.usage);
  const source = await context.opened(resolved, "existing");
  await requireSoundIndex(resolved);
  const tally = new Tally();
  for await (const damaged of damagedSessions(resolved, source)) tally.addDamaged(damaged);
  if (dryRun && destination.exists() === false) {
    const copied = await countSessions(source, context.signal);
    return reportOutcome(context, { outcome: { ...tally.outcome, copied }, dryRun });
  }
  const target = await context.opened(destination, dryRun ? "existing" : "create");
  await copied(context, { source, target, tally }, options);
  const comparison = options.verify && !dryRun ? await compared(context, source, target, follow) : undefined;
  await reportOutcome(context, { outcome: tally.outcome, comparison, dryRun });
}

interface Work {
  readonly source: SessionStore;
  readonly target: SessionStore;
  readonly tally: Tally;
}

/** Copies all sessions. With `--follow` it then copies changes until Ctrl-C. */
async function copied(
  { terminal, signal }: CommandContext,
  { source, target, tally }: Work,
  { dryRun = false, follow = false, concurrency: atOnce }: MigrateOptions,
): Promise<void> {
  const progress = new Progress(terminal, "copying", await countSessions(source, signal));
  const onSynced = (synced: Synced): void => {
    tally.add(synced);
    progress.advance();
  };
  const migration = new Migration(source, target, { dryRun, follow, atOnce, onSynced });
  await migration.copy(signal).finally(() => progress.end());
  if (!follow || dryRun) return;
  terminal.note("All copied. Following the source: stop its writers, then Ctrl-C to cut over.");
  await migration.follow(signal).finally(() => progress.end());
  terminal.note("Cutting over.");
  tally.forgetConflicts();
  await migration.copy();
  await migration.removeDeleted();
  progress.end();
}

async function compared(
  { terminal, signal }: CommandContext,
  source: SessionStore,
  target: SessionStore,
  follow: boolean,
): Promise<Comparison> {
  const progress = new Progress(terminal, "comparing", await countSessions(source));
  try {
    // The first signal has ended the copying of changes. Only a second one ends the comparison.
    return await verifyCopies(source, target, () => progress.advance(), follow ? undefined : signal);
  } finally {
    progress.end();
  }
}
