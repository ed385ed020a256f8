import { listedIds } from "../../samples/listed-ids.js";
import type { Perform } from "../workload.js";
import { toHistoryResult } from "./messages.js";
import { outcomeOf } from "./outcome-of.js";

export const create: Perform<"create"> = async ({ session, title }, { store, recorder }) => {
  const make = () =>
    recorder.call(session, { kind: "touch" }, () => store.createSession(session, { title }), toHistoryResult);
  const outcome = await outcomeOf(make, "SESSION_EXISTS");
  return outcome.ok;
};

export const settings: Perform<"settings"> = async ({ session, key, count }, { store, recorder }) => {
  const touch = { kind: "touch" } as const;
  for (let index = 1; index <= count; index++) {
    await recorder.call(
      session,
      touch,
      () => store.updateSessionMetadata(session, { [key]: { index } }),
      toHistoryResult,
    );
    await recorder.call(
      session,
      touch,
      () => store.patchSession(session, { labels: { [key]: `${index}` } }),
      toHistoryResult,
    );
    await recorder.call(
      session,
      touch,
      () => store.incrementCounters(session, { everybody: 1 }),
      toHistoryResult,
    );
  }
  return count;
};

export const archive: Perform<"archive"> = async ({ session, keepRecent, count }, { store }) => {
  const archived: number[] = [];
  // Not logged: archiving returns no revision and does not change which messages the session has.
  for (let index = 0; index < count; index++) {
    const made = await store.archiveMessages(session, { keepRecent });
    archived.push(made?.messageCount ?? 0);
  }
  return archived;
};

export const fork: Perform<"fork"> = async ({ session, prefix, count }, { store }) => {
  const forks: string[] = [];
  for (let index = 0; index < count; index++) {
    const { sessionId } = await store.forkSession(session, { newId: `${prefix}-${index}` });
    await store.addMessage(sessionId, { id: `own-${sessionId}`, role: "user", content: sessionId });
    forks.push(sessionId);
  }
  return forks;
};

export const remove: Perform<"delete"> = async ({ session }, { store, recorder }) => {
  const action = { kind: "remove", ids: "all" } as const;
  return recorder.call(
    session,
    action,
    () => store.deleteSession(session),
    () => ({}),
  );
};

export const list: Perform<"list"> = async ({ user }, { store }) => {
  return listedIds(store, { labels: { user }, limit: 7 });
};

export const watch: Perform<"watch"> = async ({ session, since }, { store, note }) => {
  for await (const { revision, deleted } of store.watch({ session, since }))
    note({ revision, deleted: deleted === true });
  return "ended";
};

export const watchStore: Perform<"watch-store"> = async ({ since }, { store, note }) => {
  for await (const { sessionId, revision, cursor } of store.watch({ since }))
    note({ sessionId, revision, cursor });
  return "ended";
};
