import {
  append,
  type BeginTurnOptions,
  type BeginTurnResult,
  type ErrorCode,
  SessionError,
  type Turn,
} from "@sessions/protocol";
import type { Perform, WorkerContext } from "../workload.js";
import { answerTo, questionOf } from "./answers.js";
import { toHistoryResult } from "./messages.js";
import { type Outcome, outcomeOf } from "./outcome-of.js";

const WAIT_MS = 60_000;

export const turns: Perform<"turns"> = async ({ session, prefix, count, ttlMs }, context) => {
  const began: string[] = [];
  for (let index = 0; index < count; index++) {
    const name = `${prefix}-${index}`;
    const begun = await begin(context, session, { turnId: name, ttlMs, waitMs: WAIT_MS });
    if (begun.status !== "begun") throw new Error(`turn "${name}" had been run before`);
    await writeUnder(context, begun.turn, `${name}-question`);
    await completeUnder(context, begun.turn, `${name}-answer`);
    began.push(begun.turn.token);
  }
  return began;
};

export const turnOnce: Perform<"turn-once"> = async ({ session, turnId, ttlMs }, { store }) => {
  const options = { turnId, ttlMs, waitMs: WAIT_MS, messages: questionOf(turnId) };
  const run = () => store.runTurn(session, options, () => append(answerTo(turnId)));
  // While another process runs the turn the call may fail with TURN_BUSY; later it is a duplicate.
  const outcome = await outcomeOf(run, "TURN_BUSY");
  return outcome.ok ? outcome.result.status : outcome.code;
};

/** The turn that each store holds. */
const heldTurns = new WeakMap<WorkerContext["store"], Turn>();

export const holdTurn: Perform<"hold-turn"> = async ({ session, turnId, ttlMs, waitMs }, context) => {
  const begun = await begin(context, session, { turnId, ttlMs, waitMs });
  if (begun.status !== "begun") return "duplicate";
  const { turn } = begun;
  heldTurns.set(context.store, turn);
  turn.signal.addEventListener("abort", () => context.note({ aborted: reasonOf(turn.signal.reason) }));
  return turn.token;
};

export const writeInTurn: Perform<"write-in-turn"> = async ({ messageId }, context) =>
  codeOf(await outcomeOf(() => writeUnder(context, heldTurnOf(context), messageId), "TURN_LOST"));

export const writeWithToken: Perform<"write-with-token"> = async (
  { session, token, messageId },
  { store, recorder },
) => {
  const message = { id: messageId, role: "user", content: messageId };
  const action = { kind: "append", ids: [messageId], fence: token } as const;
  const write = () =>
    recorder.call(
      session,
      action,
      () => store.addMessage(session, message, { fence: token }),
      toHistoryResult,
    );
  return codeOf(await outcomeOf(write, "TURN_LOST"));
};

export const completeTurn: Perform<"complete-turn"> = async (_work, context) =>
  codeOf(await outcomeOf(() => completeUnder(context, heldTurnOf(context), undefined), "TURN_LOST"));

export const interrupt: Perform<"interrupt"> = async ({ session }, { store, recorder }) => {
  await recorder.call(
    session,
    { kind: "interrupt-turn" },
    () => store.interruptTurn(session),
    () => ({}),
  );
  return null;
};

async function begin(
  { store, recorder }: WorkerContext,
  session: string,
  options: BeginTurnOptions & { readonly turnId: string; readonly ttlMs: number },
): Promise<BeginTurnResult> {
  const { turnId, ttlMs } = options;
  const action = { kind: "begin-turn", turnId, ttlMs } as const;
  return recorder.call(
    session,
    action,
    () => store.beginTurn(session, options),
    (begun) => (begun.status === "begun" ? { token: begun.turn.token } : { duplicate: true }),
  );
}

async function writeUnder({ recorder }: WorkerContext, turn: Turn, id: string): Promise<void> {
  const action = { kind: "append", ids: [id], fence: turn.token } as const;
  await recorder.call(
    turn.sessionId,
    action,
    () => turn.append({ id, role: "user", content: id }),
    toHistoryResult,
  );
}

async function completeUnder({ recorder }: WorkerContext, turn: Turn, id: string | undefined): Promise<void> {
  const ids = id === undefined ? [] : [id];
  const ops = ids.map((name) => append({ id: name, role: "assistant", content: name }));
  const action = { kind: "end-turn", fence: turn.token, completes: true, ids } as const;
  await recorder.call(turn.sessionId, action, () => turn.complete(ops), toHistoryResult);
}

function heldTurnOf({ store }: WorkerContext): Turn {
  const turn = heldTurns.get(store);
  if (turn === undefined) throw new Error("this worker holds no turn");
  return turn;
}

function codeOf(outcome: Outcome<unknown>): ErrorCode | null {
  return outcome.ok ? null : outcome.code;
}

function reasonOf(reason: unknown): string {
  return SessionError.is(reason, "TURN_LOST") ? (reason.reason ?? "unknown") : String(reason);
}
