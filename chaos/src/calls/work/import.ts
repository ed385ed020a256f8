import type { SessionBundle } from "@sessions/protocol";
import { appendSome } from "./append.js";
import { loggedResult } from "./logged-result.js";
import { readAll } from "./read-session.js";
import { sharedSession } from "./shared-session.js";
import type { Work } from "./work-context.js";

const YEARS_AGO_MS = 5 * 365 * 24 * 60 * 60 * 1000;

/** Copies a shared session under a new id, with times of years ago, as a migration or a restored backup does. */
export const importOld: Work = async (place) => {
  const { store, recorder } = place;
  const bundle = aged(await store.exportSession(sharedSession(place, "branch")));
  const newId = `import-${place.name}.${place.next()}`;
  const ids = bundle.session.messages.map((message) => message.id);
  // To the log, an import is a session that begins with these messages.
  await recorder.call(
    newId,
    { kind: "append", ids },
    () => store.importSession(bundle, { newId }),
    loggedResult,
  );
  if (!place.random.chance(0.3)) return;
  await appendSome(place, newId);
  await readAll(place, newId);
};

/** Without counters: the audit holds those of a session against the calls that were made on it. */
function aged(bundle: SessionBundle): SessionBundle {
  const { session } = bundle;
  const createdAt = session.createdAt - YEARS_AGO_MS;
  const updatedAt = session.updatedAt - YEARS_AGO_MS;
  return { ...bundle, session: { ...session, createdAt, updatedAt, counters: {} } };
}
