import type { SessionBundle } from "@sessions/protocol";
import { appendSome } from "./append.js";
import { loggedResult } from "./logged-result.js";
import type { Operation } from "./operation-context.js";
import { readAll } from "./read-session.js";
import { sharedSession } from "./shared-session.js";

const YEARS_AGO_MS = 5 * 365 * 24 * 60 * 60 * 1000;

/** Imports a copy of a shared session with times of years ago, as a migration or a restored backup does. */
export const importOld: Operation = async (context) => {
  const { store, recorder } = context;
  const bundle = aged(await store.exportSession(sharedSession(context, "branch")));
  const newId = `import-${context.name}.${context.next()}`;
  const ids = bundle.session.messages.map((message) => message.id);
  // The log has no import: it is an append to a new session.
  await recorder.call(
    newId,
    { kind: "append", ids },
    () => store.importSession(bundle, { newId }),
    loggedResult,
  );
  if (!context.random.chance(0.3)) return;
  await appendSome(context, newId);
  await readAll(context, newId);
};

/** Without counters: the judge compares those of a session with the calls that were made on it. */
function aged(bundle: SessionBundle): SessionBundle {
  const { session } = bundle;
  const createdAt = session.createdAt - YEARS_AGO_MS;
  const updatedAt = session.updatedAt - YEARS_AGO_MS;
  return { ...bundle, session: { ...session, createdAt, updatedAt, counters: {} } };
}
