import { loggedResult } from "./logged-result.js";
import { sharedSession } from "./shared-session.js";
import type { Work, WorkContext } from "./work-context.js";

/** Archives all but the newest messages and settles the summary, now and then after it failed once. */
export const archive: Work = async (place) => {
  const { store, recorder, random } = place;
  const session = sharedSession(place, random.chance(0.8) ? "chat" : "turns");
  const keepRecent = random.between(5, 40);
  // Archiving tells no revision, and changes nothing of what the session holds.
  const made = await recorder.call(
    session,
    { kind: "touch" },
    () => store.archiveMessages(session, { keepRecent }),
    () => ({}),
  );
  if (made === undefined) return;
  if (random.chance(0.2)) await settle(place, session, made.id, { error: "the model was away" });
  await settle(place, session, made.id, { summary: `summary of ${made.messageCount}` });
};

async function settle(
  { store, recorder }: WorkContext,
  session: string,
  archiveId: string,
  result: { readonly summary: string } | { readonly error: string },
): Promise<void> {
  await recorder.call(
    session,
    { kind: "touch" },
    () => store.settleArchive(session, archiveId, result),
    loggedResult,
  );
}

/** Changes metadata, a label and a counter. */
export const settings: Work = async (place) => {
  const { store, recorder, name, next } = place;
  const session = sharedSession(place, "chat");
  const touch = { kind: "touch" } as const;
  const metadata = { [name]: { index: next() } };
  await recorder.call(session, touch, () => store.updateSessionMetadata(session, metadata), loggedResult);
  await recorder.call(session, touch, () => store.incrementCounters(session, { everybody: 1 }), loggedResult);
};
