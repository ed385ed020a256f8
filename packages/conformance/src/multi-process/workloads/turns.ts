import {
  append,
  type BeginTurnOptions,
  type BeginTurnResult,
  type ErrorCode,
  SessionError,
  type Turn,
} from "@sessions/protocol";
import type { Perform, Workplace } from "../workload.js";
import { answerTo, questionOf } from "./answers.js";
import { told } from "./messages.js";
import { type Outcome, outcomeOf } from "./outcome-of.js";

const WAIT_MS = 60_000;

export const turns: Perform<"turns"> = async ({ session, prefix, count, ttlMs }, place) => {
  const began: string[] = [];
  for (let index = 0; index < count; index++) {
    const name = `${prefix}-${index}`;
    const begun = await begin(place, session, { turnId: name, ttlMs, waitMs: WAIT_MS });
    if (begun.status !== "begun") throw new Error(`turn "${name}" had been run before`);
    await writeUnder(place, begun.turn, `${name}-question`);
    await completeUnder(place, begun.turn, `${name}-answer`);
    began.push(begun.turn.token);
  }
  return began;
};

export const turnOnce: Perform<"turn-once"> = async ({ session, turnId, ttlMs }, { store }) => {
  const options = { turnId, ttlMs, waitMs: WAIT_MS, messages: questionOf(turnId) };
  const run = () => store.runTurn(session, options, () => append(answerTo(turnId)));
  // Who comes while it runs elsewhere may be told so; who comes later is told that it has been run.
  const outcome = await outcomeOf(run, "TURN_BUSY");
  return outcome.ok ? outcome.result.status : outcome.code;
};

/** The turn that is held in each store. */
const held = new WeakMap<Workplace["store"], Turn>();

export const hold: Perform<"hold"> = async ({ session, turnId, ttlMs, waitMs }, place) => {
  const begun = await begin(place, session, { turnId, ttlMs, waitMs });
  if (begun.status !== "begun") return "duplicate";
  const { turn } = begun;
  held.set(place.store, turn);
  turn.signal.addEventListener("abort", () => place.note({ aborted: reasonOf(turn.signal.reason) }));
  return turn.token;
};

export const writeHeld: Perform<"write-held"> = async ({ messageId }, place) =>
  codeOf(await outcomeOf(() => writeUnder(place, heldIn(place), messageId), "TURN_LOST"));

export const writeFenced: Perform<"write-fenced"> = async (
  { session, token, messageId },
  { store, recorder },
) => {
  const message = { id: messageId, role: "user", content: messageId };
  const action = { kind: "append", ids: [messageId], fence: token } as const;
  const write = () =>
    recorder.call(session, action, () => store.addMessage(session, message, { fence: token }), told);
  return codeOf(await outcomeOf(write, "TURN_LOST"));
};

export const letGo: Perform<"let-go"> = async (_work, place) =>
  codeOf(await outcomeOf(() => completeUnder(place, heldIn(place), undefined), "TURN_LOST"));

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
  { store, recorder }: Workplace,
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

async function writeUnder({ recorder }: Workplace, turn: Turn, id: string): Promise<void> {
  const action = { kind: "append", ids: [id], fence: turn.token } as const;
  await recorder.call(turn.sessionId, action, () => turn.append({ id, role: "user", content: id }), told);
}

async function completeUnder({ recorder }: Workplace, turn: Turn, id: string | undefined): Promise<void> {
  const ids = id === undefined ? [] : [id];
  const ops = ids.map((name) => append({ id: name, role: "assistant", content: name }));
  const action = { kind: "end-turn", fence: turn.token, completes: true, ids } as const;
  await recorder.call(turn.sessionId, action, () => turn.complete(ops), told);
}

function heldIn({ store }: Workplace): Turn {
  const turn = held.get(store);
  if (turn === undefined) throw new Error("this worker holds no turn");
  return turn;
}

function codeOf(outcome: Outcome<unknown>): ErrorCode | null {
  return outcome.ok ? null : outcome.code;
}

function reasonOf(reason: unknown): string {
  return SessionError.is(reason, "TURN_LOST") ? (reason.reason ?? "unknown") : String(reason);
}
