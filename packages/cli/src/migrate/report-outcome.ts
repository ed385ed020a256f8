import type { CommandContext } from "../command/command-context.js";
import { CommandError, EXIT } from "../command/exit-code.js";
import { counted, countedAre } from "../render/counted.js";
import { stripControlsLine } from "../terminal/strip-controls.js";
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
    await terminal.print(summaryOf(result));
    for (const problem of problemsOf(result))
      terminal.note(terminal.noteStyle.bad(stripControlsLine(problem)));
    if (comparison?.different.length === 0) {
      const { sessions, sourceDigest } = comparison;
      await terminal.print(
        terminal.style.good(`All ${sessions} sessions are equal.`),
        terminal.style.dim(`sha256 ${sourceDigest}`),
      );
    }
  }
  const failure = failureOf(result);
  if (failure !== undefined) throw failure;
}

function summaryOf({ outcome: { copied, updated, same }, dryRun }: Result): string {
  const done = dryRun
    ? `Would copy ${copied}, would update ${updated}`
    : `Copied ${copied}, updated ${updated}`;
  return `${done}, ${same} were there already.`;
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
      `${countedAre(damaged.length, "session")} damaged. Run: sessions doctor`,
      EXIT.damaged,
    );
  if (conflicts.length > 0)
    return new CommandError(
      `The target has ${counted(conflicts.length, "session")} of somebody else's. Left alone.`,
      EXIT.refused,
    );
  if (different > 0)
    return new CommandError(
      `${countedAre(different, "session")} not equal. Is somebody writing? Stop them and run it again.`,
      EXIT.damaged,
    );
  return undefined;
}
