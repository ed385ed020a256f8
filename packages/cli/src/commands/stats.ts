import type { StoreDescription } from "@sessions/protocol";
import type { Command } from "commander";
import { command, type Runner } from "../command/command.js";
import { stamp } from "../render/age.js";
import { counted, countedAre } from "../render/counted.js";
import { damagedSessions, indexProblems } from "../sessions/all-sessions.js";
import { StoreStats } from "../sessions/store-stats.js";
import { Progress } from "../terminal/progress.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
import { fitted, padded } from "../terminal/width.js";

/** `sessions stats`. */
export function statsCommand(run: Runner): Command {
  return command("stats", "shows what a store is and how much is in it", [
    "stats",
    "stats --store sqlite:./sessions.db --json",
  ]).action((_options: object, self: Command) =>
    run(self, async (context) => {
      const { terminal, json, signal } = context;
      const resolved = await context.resolve({ warn: false }); // they are in the description
      const store = await context.opened(resolved, "existing");
      const description = await store.describe();
      const stats = new StoreStats();
      const progress = new Progress(terminal, "counting");
      const listed = new Set<string>();
      context.whenStopped(() => `${counted(listed.size, "session")} had been counted. Nothing was changed.`);
      for await (const session of store.listSessions({ limit: 1000, signal })) {
        signal.throwIfAborted();
        progress.advance();
        stats.add(session);
        listed.add(session.id);
      }
      for await (const _ of damagedSessions(resolved, store, listed)) stats.addDamaged();
      const problems = await indexProblems(resolved);
      progress.end();
      if (json) return terminal.printJson(jsonOf(description, problems, stats));
      const lines = fileLines(description, problems, stats);
      const width = Math.max(...lines.map(([name]) => name.length)) + 2;
      for (const [name, value] of lines) {
        const shown = fitted(stripControlsLine(value), terminal.columns - width);
        await terminal.print(terminal.style.dim(padded(stripControlsLine(name), width)) + shown);
      }
    }),
  );
}

function jsonOf(
  description: StoreDescription,
  problems: readonly string[],
  { counts, times, counters }: StoreStats,
): object {
  const { store, location, durability, healthy } = description;
  const isSound = healthy && problems.length === 0 && counts.damaged === 0;
  const warnings = [...description.warnings, ...problems];
  const about = { store, location, survives: durability.survives, healthy: isSound, warnings };
  return { ...about, ...counts, ...times, counters };
}

function fileLines(
  description: StoreDescription,
  problems: readonly string[],
  { counts, times, counters }: StoreStats,
): readonly (readonly [string, string])[] {
  const { store, location, durability, healthy, warnings } = description;
  const { oldest, newest } = times;
  return [
    ["store", location.startsWith(store) ? location : `${store} at ${location}`],
    ["durability", durability.detail],
    ["health", healthOf(healthy, problems.length > 0, counts.damaged)],
    ...[...warnings, ...problems].map((warning) => ["warning", warning] as const),
    ["sessions", `${counts.sessions}, ${counts.forks} of them forks`],
    ["messages", `${counts.messages} live, ${counts.archivedMessages} archived`],
    [
      "archives",
      `${counts.archives}, ${counts.pendingSummaries} summaries pending, ${counts.failedSummaries} failed`,
    ],
    ["snapshots", String(counts.snapshots)],
    ["turns", `${counts.runningTurns} running, ${counts.expiredTurns} cut off`],
    ...Object.entries(counters).map(([name, value]) => [name, String(value)] as const),
    ...(oldest === undefined || newest === undefined
      ? []
      : [["from, to", `${stamp(oldest)}, ${stamp(newest)}`] as const]),
  ];
}

function healthOf(healthy: boolean, isIndexDamaged: boolean, damaged: number): string {
  if (damaged > 0) return `not healthy: ${countedAre(damaged, "session")} damaged, see "sessions doctor"`;
  if (isIndexDamaged) return 'not healthy: the index is damaged, see "sessions doctor"';
  return healthy ? 'no damage seen; "sessions doctor" reads every message' : "not healthy: see the warnings";
}
