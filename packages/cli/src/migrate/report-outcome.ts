import type { CommandContext } from "../command/command-context.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { allAre, counted, countedAre } from "../render/counted.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
import { summaryOf } from "./summary.js";
import type { Outcome } from "./tally.js";
import type { Comparison } from "./verify-copies.js";

/** The result of a migration. */
export interface Result {
  readonly outcome: Outcome;
  /** Absent if nothing was compared. */
  readonly comparison?: Comparison | undefined;
  readonly dryRun: boolean;
}

/** Prints the result of a migration. Throws, for the exit code, if sessions are damaged, in conflict or different. */
export async function reportOutcome({ terminal, json }: CommandContext, result: Result): Promise<void> {
  const { outcome, comparison, dryRun } = result;
  if (json) await terminal.printJson({ dryRun, ...outcome, ...(comparison && { verified: comparison }) });
  else {
    await terminal.print(summaryOf(outcome, dryRun));
    for (const problem of problemsOf(result))
      terminal.note(terminal.noteStyle.bad(stripControlsLine(problem)));
    if (comparison?.different.length === 0) {
      const { sessions, sourceDigest } = comparison;
      await terminal.print(
        terminal.style.good(equalText(sessions, outcome.damaged.length)),
        terminal.style.dim(`sha256 ${sourceDigest}`),
      );
    }
  }
  const failure = failureOf(result);
  if (failure !== undefined) throw failure;
}

function equalText(sessions: number, damaged: number): string {
  const readable = damaged === 0 ? "" : "readable ";
  if (sessions === 0) return `There are no ${readable}sessions to compare.`;
  return `${allAre(sessions, `${readable}session`)} equal in both stores.`;
}

function problemsOf({ outcome: { conflicts, damaged }, comparison }: Result): readonly string[] {
  return [
    ...conflicts.map(({ sessionId, problem }) => `Not overwritten: ${sessionId}. ${problem}`),
    ...damaged.map(
      ({ sessionId, place, problem }) => `Damaged, not copied: ${sessionId ?? place}. ${problem}`,
    ),
    ...(comparison?.different ?? []).map((id) => `Not equal: ${id}`),
  ];
}

function failureOf({ outcome: { conflicts, damaged }, comparison }: Result): CommandError | undefined {
  const different = comparison?.different.length ?? 0;
  if (damaged.length > 0)
    return new CommandError(
      `${countedAre(damaged.length, "session")} damaged and not copied. "sessions doctor" says what is wrong.`,
      EXIT.damaged,
    );
  if (conflicts.length > 0)
    return new CommandError(
      `${counted(conflicts.length, "session")} of the target not overwritten, because they were not copied from this source or have changed since.`,
      EXIT.refused,
    );
  if (different > 0)
    return new CommandError(
      `${countedAre(different, "session")} not equal. Stop the programs that write to the stores, and run the same command again.`,
      EXIT.damaged,
    );
  return undefined;
}
