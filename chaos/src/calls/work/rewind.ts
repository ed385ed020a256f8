import { snapshot } from "@sessions/protocol";
import { appendSome } from "./append.js";
import { idle } from "./idle.js";
import { loggedResult } from "./logged-result.js";
import { readAll } from "./read-session.js";
import { sharedSession } from "./shared-session.js";
import type { Work, WorkContext } from "./work-context.js";

/** A snapshot, and exactly what it holds. */
interface Taken {
  readonly session: string;
  readonly name: string;
  readonly ids: readonly string[];
}

/** Takes a snapshot of a shared session; then, while others go on, forks it or goes back to it. */
export const rewind: Work = async (place) => {
  const taken = await take(place, sharedSession(place, "branch"));
  if (taken === undefined) return;
  await idle(place, 20);
  if (place.random.chance(0.5)) await fork(place, taken);
  else await goBack(place, taken);
  const { session, name } = taken;
  const drop = (): ReturnType<typeof place.store.dropSnapshot> => place.store.dropSnapshot(session, name);
  await place.recorder.call(session, { kind: "touch" }, drop, loggedResult);
};

/** A computed change is committed on what it was computed from: so these ids are those of the snapshot. */
async function take({ store, recorder, ...place }: WorkContext, session: string): Promise<Taken | undefined> {
  const name = `snapshot-${place.name}.${place.next()}`;
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

async function goBack({ store, recorder }: WorkContext, { session, name, ids }: Taken): Promise<void> {
  await recorder.call(
    session,
    { kind: "restore", ids },
    () => store.revertToSnapshot(session, name),
    loggedResult,
  );
}

/** To the log, a fork is a session that begins with these messages. */
async function fork(place: WorkContext, { session, name, ids }: Taken): Promise<void> {
  const { store, recorder } = place;
  const newId = `fork-${place.name}.${place.next()}`;
  const perform = (): ReturnType<typeof store.forkSession> =>
    store.forkSession(session, { at: { snapshot: name }, newId });
  await recorder.call(newId, { kind: "append", ids }, perform, loggedResult);
  await appendSome(place, newId);
  await readAll(place, newId);
}
