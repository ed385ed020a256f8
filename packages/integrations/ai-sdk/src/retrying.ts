import { savePatiently } from "@sessions/managed-agent/building-blocks";
import { type MutationOptions, SessionError } from "@sessions/protocol";
import type { Settings } from "./settings.js";

/** How long a page waits for a store that does not answer, before it is told. */
const PATIENCE_MS = 2000;

/** What may pass by itself. Whatever else a store says is its answer. */
const PASSING = ["STORE_BUSY", "STORE_UNAVAILABLE", "OUTCOME_UNKNOWN"] as const;

/**
 * Calls the store, and again for a while if it is busy, cannot be reached, or its reply was lost. `call` must be one that can
 * be repeated: a read, or a commit under the id that it is given.
 */
export async function retrying<Result>(
  { clock, newId }: Pick<Settings, "clock" | "newId">,
  call: (options: MutationOptions) => Promise<Result>,
): Promise<Result> {
  const patience = { clock, newId, deadlineMs: PATIENCE_MS, isOver: () => false };
  const answer = await savePatiently(patience, (options) => answered(() => call(options)));
  if ("error" in answer) throw answer.error;
  return answer.result;
}

type Answered<Result> = { readonly result: Result } | { readonly error: unknown };

async function answered<Result>(call: () => Promise<Result>): Promise<Answered<Result>> {
  try {
    return { result: await call() };
  } catch (error) {
    if (SessionError.is(error, ...PASSING)) throw error;
    return { error };
  }
}
