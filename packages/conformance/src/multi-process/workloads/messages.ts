import { append as appendOperation, count, type MutationResult } from "@sessions/protocol";
import type { HistoryResult } from "../../history/history-event.js";
import type { Perform, WorkerContext } from "../workload.js";
import { outcomeOf } from "./outcome-of.js";

export const append: Perform<"append"> = async ({ sessions, prefix, count }, context) => {
  for (let index = 0; index < count; index++) {
    const session = sessions[index % sessions.length] ?? prefix;
    await appendOne(context, session, `${prefix}-${index}`);
  }
  return count;
};

export const appendForever: Perform<"append-forever"> = async ({ session, prefix }, context) => {
  for (let index = 0; ; index++) await appendOne(context, session, `${prefix}-${index}`);
};

export const appendOnce: Perform<"append-once"> = async (
  { session, messageId, commitId },
  { store, recorder },
) => {
  // The counter shows whether the commit was applied twice: a message with the same id is never added twice.
  const ops = [
    appendOperation({ id: messageId, role: "user", content: "the same from everybody" }),
    count({ everybody: 1 }),
  ];
  const action = { kind: "append", ids: [messageId], commitId } as const;
  const result = await recorder.call(
    session,
    action,
    () => store.commit(session, ops, { commitId }),
    toHistoryResult,
  );
  return { revision: result.revision, duplicate: result.duplicate };
};

/** Replaces the history as a bot does: read, add, write with `base`, and again after a conflict. */
export const replace: Perform<"replace"> = async ({ session, prefix, count }, { store, recorder }) => {
  for (let index = 0; index < count; index++) {
    const id = `${prefix}-${index}`;
    const replaceOnce = async (): Promise<MutationResult> => {
      const read = await store.getSession(session);
      const messages = [...(read?.messages ?? []), { id, role: "assistant", content: id }];
      return store.setChatHistory(session, messages, { base: read?.revision ?? 0 });
    };
    const replaceNow = (): Promise<MutationResult> => untilMerged(replaceOnce);
    await recorder.call(session, { kind: "insert", ids: [id] }, replaceNow, toHistoryResult);
  }
  return count;
};

/** Each conflict means that another process has committed, so far fewer conflicts in a row are expected. */
const MAX_CONFLICTS = 200;

async function untilMerged(attempt: () => Promise<MutationResult>): Promise<MutationResult> {
  for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
    const outcome = await outcomeOf(attempt, "REVISION_CONFLICT");
    if (outcome.ok) return outcome.result;
  }
  return attempt();
}

export const read: Perform<"read"> = async ({ session }, context) => {
  const shown = await readAll(context, session);
  return [...shown];
};

/** The ids of all messages of the session at one revision, archived ones first. */
export async function readAll(
  { store, recorder }: WorkerContext,
  session: string,
): Promise<readonly string[]> {
  const perform = async (): Promise<HistoryResult> => {
    const outcome = await outcomeOf(() => store.exportSession(session), "SESSION_NOT_FOUND");
    if (!outcome.ok) return { ids: [] };
    const { revision, messages } = outcome.result.session;
    return { revision, ids: messages.map((message) => message.id) };
  };
  const result = await recorder.call(session, { kind: "read" }, perform, (shown) => shown);
  return result.ids ?? [];
}

/** The part of a result that the log keeps. */
export function toHistoryResult(result: MutationResult): HistoryResult {
  return { revision: result.revision, duplicate: result.duplicate };
}

async function appendOne({ store, recorder }: WorkerContext, session: string, id: string): Promise<void> {
  const message = { id, role: "user", content: id };
  await recorder.call(
    session,
    { kind: "append", ids: [id] },
    () => store.addMessage(session, message),
    toHistoryResult,
  );
}
