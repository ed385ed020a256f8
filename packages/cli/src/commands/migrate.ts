import type { SessionStore } from "@sessions/protocol";
import type { Command } from "commander";
import { countSessions, type DamagedSession, damagedSessions } from "../all-sessions.js";
import { command, type Runner } from "../command.js";
import type { CommandContext } from "../command-context.js";
import { CommandError, EXIT } from "../exit-code.js";
import { Migration } from "../migrate/migration.js";
import type { Synced } from "../migrate/sync-session.js";
import { type Comparison, verifyCopies } from "../migrate/verify-copies.js";
import { positiveNumber } from "../parse.js";
import { countedAre } from "../render/counted.js";
import { harmlessLine } from "../terminal/harmless.js";
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
  const { terminal, signal } = context;
  const { dryRun = false, follow = false } = options;
  const [resolved, destination] = [await context.resolve(from), await context.resolve(to)];
  if (resolved.location === destination.location)
    throw new CommandError("Both are the same store.", EXIT.usage);
  const source = await context.opened(resolved, "existing");
  if (dryRun && destination.exists() === false) return wouldCopyAll(context, source);
  const target = await context.opened(destination, dryRun ? "existing" : "create");
  const tally = new Tally();
  const damaged = new Map<string, DamagedSession>();
  for await (const each of damagedSessions(resolved, source)) damaged.set(each.sessionId ?? each.place, each);
  const progress = new Progress(terminal, "copying", await countSessions(source, signal));
  const migration = new Migration(source, target, {
    dryRun,
    follow,
    atOnce: options.concurrency,
    onSynced: (synced) => {
      tally.add(synced);
      progress.advance();
    },
  });
  await migration.copy(signal);
  progress.end();
  if (follow && !dryRun) {
    terminal.note("All copied. Following the source: stop its writers, then Ctrl-C to cut over.");
    await migration.follow(signal);
    terminal.note("Cutting over.");
    tally.forgetProblems();
    await migration.copy();
    await migration.removeDeleted();
  }
  const comparison = options.verify && !dryRun ? await compared(context, source, target, follow) : undefined;
  await told(
    context,
    {
      ...tally.counts,
      conflicts: tally.problems("conflict"),
      damaged: [...damaged.values(), ...tally.problems("damaged")],
    },
    comparison,
    dryRun,
  );
}

async function wouldCopyAll(context: CommandContext, source: SessionStore): Promise<void> {
  const copied = await countSessions(source, context.signal);
  const nothing = { updated: 0, same: 0, gone: 0, conflicts: [], damaged: [] };
  await told(context, { copied, ...nothing }, undefined, true);
}

async function compared(
  { terminal, signal }: CommandContext,
  source: SessionStore,
  target: SessionStore,
  follow: boolean,
): Promise<Comparison> {
  const progress = new Progress(terminal, "comparing", await countSessions(source));
  try {
    // After a cut-over the signal has been given already; only a second one ends this.
    return await verifyCopies(source, target, () => progress.advance(), follow ? undefined : signal);
  } finally {
    progress.end();
  }
}

interface Outcome {
  readonly copied: number;
  readonly updated: number;
  readonly same: number;
  readonly gone: number;
  readonly conflicts: readonly Problem[];
  readonly damaged: readonly DamagedSession[];
}

async function told(
  { terminal, json }: CommandContext,
  outcome: Outcome,
  comparison: Comparison | undefined,
  dryRun: boolean,
): Promise<void> {
  const { copied, updated, same, conflicts, damaged } = outcome;
  if (json)
    await terminal.printJson({
      dryRun,
      ...outcome,
      ...(comparison === undefined ? {} : { verified: comparison }),
    });
  else {
    await terminal.print(
      `${dryRun ? "Would copy" : "Copied"} ${copied}, ${dryRun ? "would update" : "updated"} ${updated}, ${same} were there already.`,
    );
    for (const { sessionId, problem } of conflicts)
      terminal.note(terminal.noteStyle.bad(harmlessLine(`Not overwritten: ${sessionId}. ${problem}`)));
    for (const { sessionId, place, problem } of damaged)
      terminal.note(
        terminal.noteStyle.bad(harmlessLine(`Damaged, not copied: ${sessionId ?? place}. ${problem}`)),
      );
    if (comparison?.different.length === 0)
      await terminal.print(
        terminal.style.good(`All ${comparison.sessions} sessions are equal.`),
        terminal.style.dim(`sha256 ${comparison.sourceDigest}`),
      );
    for (const id of comparison?.different ?? [])
      terminal.note(terminal.noteStyle.bad(harmlessLine(`Not equal: ${id}`)));
  }
  const different = comparison?.different.length ?? 0;
  if (damaged.length > 0)
    throw new CommandError(
      `${countedAre(damaged.length, "session")} damaged. Run: sessions doctor`,
      EXIT.damaged,
    );
  if (conflicts.length > 0)
    throw new CommandError(
      `${countedAre(conflicts.length, "session")} another one in the target, and left alone.`,
      EXIT.refused,
    );
  if (different > 0)
    throw new CommandError(
      `${countedAre(different, "session")} not equal. Is somebody writing? Stop them and run it again.`,
      EXIT.damaged,
    );
}

interface Problem {
  readonly sessionId: string;
  readonly place: string;
  readonly problem: string;
}

/** What became of all sessions. Only counts and problems are kept. */
class Tally {
  readonly counts = { copied: 0, updated: 0, same: 0, gone: 0 };
  readonly #problems = new Map<string, Problem & { readonly status: "conflict" | "damaged" }>();

  add(synced: Synced): void {
    if (synced.status === "conflict" || synced.status === "damaged")
      this.#problems.set(synced.sessionId, { ...synced, place: "the source" });
    else this.counts[synced.status]++;
  }

  problems(status: "conflict" | "damaged"): readonly Problem[] {
    return [...this.#problems.values()]
      .filter((each) => each.status === status)
      .map(({ sessionId, place, problem }) => ({ sessionId, place, problem }));
  }

  /** They are looked for again. */
  forgetProblems(): void {
    this.#problems.clear();
  }
}
