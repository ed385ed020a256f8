import type { TurnWork } from "../api/session-methods.js";
import type { BeginTurnOptions, RunTurnResult, Turn } from "../api/turn.js";
import { invalid } from "../arguments/invalid-argument.js";
import type { StoreContext } from "../context/store-context.js";
import { many } from "../operations/builders.js";
import { beginTurn } from "./begin-turn.js";
import { combinedTurnError } from "./combined-turn-error.js";

/** Begins a turn, runs the work, and commits its result together with the end of the turn. The turn always ends. */
export async function runTurn(
  context: StoreContext,
  id: string,
  options: BeginTurnOptions,
  work: TurnWork,
): Promise<RunTurnResult> {
  if (typeof work !== "function") throw invalid("work", "must be a function.");
  const begun = await beginTurn(context, id, options);
  if (begun.status === "duplicate") return begun;
  const { turn, session } = begun;
  try {
    const ops = await work(turn, session);
    const result = await turn.complete(ops === undefined ? [] : many(ops));
    return { status: "completed", turnId: turn.turnId, ...result };
  } catch (error) {
    throw (await failed(turn, error)).thrown;
  }
}

/**
 * Ends the turn and returns the error to throw: the work's own error. It is wrapped in an object, because it may have a
 * `then`.
 */
async function failed(turn: Turn, error: unknown): Promise<{ readonly thrown: unknown }> {
  try {
    await turn.fail(error);
    return { thrown: error };
  } catch (unended) {
    return { thrown: combinedTurnError(error, unended) };
  }
}
