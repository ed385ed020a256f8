import { setTimeout } from "node:timers/promises";
import { pauseRandomly } from "../../worker/random-pause.js";
import { loggedResult } from "./logged-result.js";
import { messageOf, newMessageId } from "./message.js";
import type { Operation, OperationContext } from "./operation-context.js";
import { RunningTurn } from "./running-turn.js";
import { sharedSession } from "./shared-session.js";

/** Runs a turn that appends twice: in its middle and with its end. Some turns are run again under the same id. */
export const takeTurn: Operation = async (context) => {
  const session = sharedSession(context, "turns");
  const turnId = `turn-${context.name}.${context.next()}`;
  await runOne(context, session, turnId);
  if (context.random.chance(0.2)) await runOne(context, session, turnId);
};

async function runOne(context: OperationContext, session: string, turnId: string): Promise<void> {
  const losesLease = context.random.chance(0.1);
  const turn = new RunningTurn(context, session, turnId);
  if (!(await turn.begin({ renew: !losesLease }))) return; // it was completed before
  try {
    // Another process may begin a turn meanwhile: then this write must be refused.
    if (losesLease) await setTimeout(context.task.turnTtlMs * 1.5);
    else await pauseRandomly(context, 10);
    await appendWithin(context, turn);
  } catch (error) {
    await turn.fail(error);
    throw error;
  }
  if (context.random.chance(0.1)) await turn.fail(new Error("the model is unavailable"));
  else await turn.complete(newMessageId(context));
}

async function appendWithin(context: OperationContext, running: RunningTurn): Promise<void> {
  const id = newMessageId(context);
  const { turn, session } = running;
  const action = { kind: "append", ids: [id], fence: turn.token } as const;
  await context.recorder.call(session, action, () => turn.append(messageOf(id)), loggedResult);
}
