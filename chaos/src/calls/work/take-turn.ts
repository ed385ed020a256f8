import { setTimeout } from "node:timers/promises";
import { idle } from "./idle.js";
import { loggedResult } from "./logged-result.js";
import { messageOf, newMessageId } from "./message.js";
import { RunningTurn } from "./running-turn.js";
import { sharedSession } from "./shared-session.js";
import type { Work, WorkContext } from "./work-context.js";

/** Runs a turn, which writes once while it is held and once with its end. Now and then it is asked for again. */
export const takeTurn: Work = async (place) => {
  const session = sharedSession(place, "turns");
  const turnId = `turn-${place.name}.${place.next()}`;
  await runOne(place, session, turnId);
  if (place.random.chance(0.2)) await runOne(place, session, turnId);
};

async function runOne(place: WorkContext, session: string, turnId: string): Promise<void> {
  const overstays = place.random.chance(0.1);
  const turn = new RunningTurn(place, session, turnId);
  if (!(await turn.begin({ renew: !overstays }))) return; // it has been run before
  try {
    // Long enough for somebody else to take over: what it writes then must be refused.
    if (overstays) await setTimeout(place.task.turnTtlMs * 1.5);
    else await idle(place, 10);
    await writeUnder(place, turn);
  } catch (error) {
    await turn.fail(error);
    throw error;
  }
  if (place.random.chance(0.1)) await turn.fail(new Error("the model was away"));
  else await turn.complete(newMessageId(place));
}

async function writeUnder(place: WorkContext, turn: RunningTurn): Promise<void> {
  const id = newMessageId(place);
  const { held, session } = turn;
  const action = { kind: "append", ids: [id], fence: held.token } as const;
  await place.recorder.call(session, action, () => held.append(messageOf(id)), loggedResult);
}
