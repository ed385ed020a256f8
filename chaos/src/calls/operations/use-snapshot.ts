import { snapshot } from "@sessions/protocol";
import { pauseRandomly } from "../../worker/random-pause.js";
import { appendSome } from "./append.js";
import { loggedResult } from "./logged-result.js";
import type { Operation, OperationContext } from "./operation-context.js";
import { readAll } from "./read-session.js";
import { sharedSession } from "./shared-session.js";

/** A snapshot and the ids of its messages. */
interface TakenSnapshot {
  readonly session: string;
  readonly name: string;
  readonly ids: readonly string[];
}

/** Takes a snapshot of a shared session, then forks it or reverts to it while other lanes write. */
export const useSnapshot: Operation = async (context) => {
  const taken = await take(context, sharedSession(context, "branch"));
  if (taken === undefined) return;
  await pauseRandomly(context, 20);
  if (context.random.chance(0.5)) await fork(context, taken);
  else await revert(context, taken);
  const { session, name } = taken;
  const drop = (): ReturnType<typeof context.store.dropSnapshot> => context.store.dropSnapshot(session, name);
  await context.recorder.call(session, { kind: "touch" }, drop, loggedResult);
};

/** `updateSession` commits on the revision that it has read, so these ids are those of the snapshot. */
async function take(
  { store, recorder, ...context }: OperationContext,
  session: string,
): Promise<TakenSnapshot | undefined> {
  const name = `snapshot-${context.name}.${context.next()}`;
  let ids: readonly string[] | undefined;
  const perform = (): ReturnType<typeof store.updateSession> =>
    store.updateSession(
      session,
      (found) => {
        ids = found?.messages.map((message) => message.id);
        return found === undefined ? undefined : snapshot(name);
      },
      { messages: "all" },
    );
  await recorder.call(session, { kind: "touch" }, perform, loggedResult);
  return ids === undefined ? undefined : { session, name, ids };
}

async function revert(
  { store, recorder }: OperationContext,
  { session, name, ids }: TakenSnapshot,
): Promise<void> {
  await recorder.call(
    session,
    { kind: "restore", ids },
    () => store.revertToSnapshot(session, name),
    loggedResult,
  );
}

/** The log has no fork: it is an append to a new session. */
async function fork(context: OperationContext, { session, name, ids }: TakenSnapshot): Promise<void> {
  const { store, recorder } = context;
  const newId = `fork-${context.name}.${context.next()}`;
  const perform = (): ReturnType<typeof store.forkSession> =>
    store.forkSession(session, { at: { snapshot: name }, newId });
  await recorder.call(newId, { kind: "append", ids }, perform, loggedResult);
  await appendSome(context, newId);
  await readAll(context, newId);
}
