import { applicable } from "./applicable.js";
import { CASE_TIMEOUT_MS, type Case, type Section } from "./case.js";
import type { Harness } from "./harness.js";
import { runCase } from "./run-case.js";

/** A case that failed. */
export interface Failure {
  readonly section: string;
  readonly case: string;
  readonly error: unknown;
  /** Whether the case did not end in time. */
  readonly timedOut: boolean;
}

/** Options of `runSection`. */
export interface RunSectionOptions {
  /** The timeout of every case, instead of its own. */
  readonly timeoutMs?: number;
  /** Stops at the first failure. */
  readonly firstOnly?: boolean;
}

/** Runs the cases of a section that apply, one after the other, and returns those that failed. */
export async function runSection(
  harness: Harness,
  section: Section,
  seed: number,
  options: RunSectionOptions = {},
): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  for (const one of (await applicable(harness, [section]))[0]?.cases ?? []) {
    const failure = await failureOf(
      harness,
      section,
      one,
      seed,
      options.timeoutMs ?? one.timeoutMs ?? CASE_TIMEOUT_MS,
    );
    if (failure === undefined) continue;
    failures.push(failure);
    if (options.firstOnly === true) break;
  }
  return failures;
}

const LATE: unique symbol = Symbol("late");

async function failureOf(
  harness: Harness,
  section: Section,
  one: Case,
  seed: number,
  timeoutMs: number,
): Promise<Failure | undefined> {
  const failed = (error: unknown, timedOut: boolean): Failure => ({
    section: section.name,
    case: one.name,
    error,
    timedOut,
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), timeoutMs);
  });
  try {
    // A case that hangs cannot be stopped. It goes on, and its outcome is ignored.
    const ended = await Promise.race([runCase(harness, one, seed), late]);
    return ended === LATE ? failed(new Error(`did not end within ${timeoutMs} ms`), true) : undefined;
  } catch (error) {
    return failed(error, false);
  } finally {
    clearTimeout(timer);
  }
}
