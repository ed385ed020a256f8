import type { Command } from "commander";
import { command, type Runner } from "../command.js";
import { stamp } from "../render/age.js";
import { harmlessLine } from "../terminal/harmless.js";
import { Progress } from "../terminal/progress.js";
import { fitted, padded } from "../terminal/width.js";

/** `sessions stats`. */
export function statsCommand(run: Runner): Command {
  return command("stats", "tells what a store is and how much is in it", [
    "stats",
    "stats --store sqlite:./sessions.db --json",
  ]).action((_options: object, self: Command) =>
    run(self, async ({ open, terminal, json, signal }) => {
      const store = await open();
      const { location, store: kind, durability, healthy, warnings } = await store.describe();
      const progress = new Progress(terminal, "counting");
      const counts = {
        sessions: 0,
        messages: 0,
        archivedMessages: 0,
        archives: 0,
        pendingSummaries: 0,
        failedSummaries: 0,
        snapshots: 0,
        forks: 0,
        runningTurns: 0,
        expiredTurns: 0,
      };
      const counters: Record<string, number> = {};
      let [oldest, newest] = [Number.POSITIVE_INFINITY, 0];
      for await (const session of store.listSessions({ limit: 1000, signal })) {
        progress.advance();
        counts.sessions++;
        counts.messages += session.messageCount;
        counts.archives += session.archives.length;
        counts.archivedMessages += session.archives.reduce((sum, { messageCount }) => sum + messageCount, 0);
        counts.pendingSummaries += session.archives.filter(
          ({ summary }) => summary.status === "pending",
        ).length;
        counts.failedSummaries += session.archives.filter(
          ({ summary }) => summary.status === "failed",
        ).length;
        counts.snapshots += session.snapshots.length;
        if (session.parent !== undefined) counts.forks++;
        if (session.turn?.status === "running") counts.runningTurns++;
        if (session.turn?.status === "expired") counts.expiredTurns++;
        for (const [name, value] of Object.entries(session.counters))
          counters[name] = (counters[name] ?? 0) + value;
        oldest = Math.min(oldest, session.createdAt);
        newest = Math.max(newest, session.updatedAt);
      }
      progress.end();
      const times = counts.sessions === 0 ? {} : { oldest, newest };
      if (json)
        return terminal.printJson({
          store: kind,
          location,
          survives: durability.survives,
          healthy,
          warnings,
          ...counts,
          ...times,
          counters,
        });
      const lines: readonly (readonly [string, string])[] = [
        ["store", `${kind} at ${location}`],
        ["durability", durability.detail],
        ["health", healthy ? "good" : "not healthy"],
        ...warnings.map((warning) => ["warning", warning] as const),
        ["sessions", `${counts.sessions}, ${counts.forks} of them forks`],
        ["messages", `${counts.messages} live, ${counts.archivedMessages} archived`],
        [
          "archives",
          `${counts.archives}, ${counts.pendingSummaries} summaries pending, ${counts.failedSummaries} failed`,
        ],
        ["snapshots", String(counts.snapshots)],
        ["turns", `${counts.runningTurns} running, ${counts.expiredTurns} cut off`],
        ...Object.entries(counters).map(([name, value]) => [name, String(value)] as const),
        ...(counts.sessions === 0 ? [] : [["from, to", `${stamp(oldest)}, ${stamp(newest)}`] as const]),
      ];
      const width = Math.max(...lines.map(([name]) => name.length)) + 2;
      for (const [name, value] of lines)
        await terminal.print(
          terminal.style.dim(padded(harmlessLine(name), width)) +
            fitted(harmlessLine(value), terminal.columns - width),
        );
    }),
  );
}
