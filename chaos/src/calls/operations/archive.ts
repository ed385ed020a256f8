import { loggedResult } from "./logged-result.js";
import type { Operation, OperationContext } from "./operation-context.js";
import { sharedSession } from "./shared-session.js";

/** Archives all but the newest messages and settles the summary. Some summaries fail once before. */
export const archive: Operation = async (context) => {
  const { store, recorder, random } = context;
  const session = sharedSession(context, random.chance(0.8) ? "chat" : "turns");
  const keepRecent = random.between(5, 40);
  // An archive result has no revision, and archiving does not change which messages the session has.
  const made = await recorder.call(
    session,
    { kind: "touch" },
    () => store.archiveMessages(session, { keepRecent }),
    () => ({}),
  );
  if (made === undefined) return;
  if (random.chance(0.2)) await settle(context, session, made.id, { error: "the model is unavailable" });
  await settle(context, session, made.id, { summary: `summary of ${made.messageCount}` });
};

async function settle(
  { store, recorder }: OperationContext,
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

/** Changes metadata and a counter. */
export const changeSettings: Operation = async (context) => {
  const { store, recorder, name, next } = context;
  const session = sharedSession(context, "chat");
  const touch = { kind: "touch" } as const;
  const metadata = { [name]: { index: next() } };
  await recorder.call(session, touch, () => store.updateSessionMetadata(session, metadata), loggedResult);
  await recorder.call(session, touch, () => store.incrementCounters(session, { everybody: 1 }), loggedResult);
};
