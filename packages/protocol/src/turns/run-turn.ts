import { many } from "../operations/builders.js";
import type { TurnWork } from "../store/session-methods.js";
import type { StoreContext } from "../store/store-context.js";
import { invalid } from "../validate/argument.js";
import { beginTurn } from "./begin-turn.js";
import type { BeginTurnOptions, RunTurnResult, Turn } from "./turn.js";

/** Begins a turn, runs the work, commits what it returns together with the end of the turn. Always ends the turn. */
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
    await failed(turn, error);
    throw error;
  }
}

// The work's own error is what the caller must see; that the turn could not be ended either is added to it.
async function failed(turn: Turn, error: unknown): Promise<void> {
  try {
    await turn.fail(error);
  } catch (endError) {
    if (error instanceof Error && error.cause === undefined && error !== endError) error.cause = endError;
  }
}
