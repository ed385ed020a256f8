import { append as appending, count, type MutationResult } from "@sessions/protocol";
import type { HistoryResult } from "../../history/history-event.js";
import type { Perform, Workplace } from "../workload.js";
import { outcomeOf } from "./outcome-of.js";

export const append: Perform<"append"> = async ({ sessions, prefix, count }, place) => {
  for (let index = 0; index < count; index++) {
    const session = sessions[index % sessions.length] ?? prefix;
    await appendOne(place, session, `${prefix}-${index}`);
  }
  return count;
};

export const appendForever: Perform<"append-forever"> = async ({ session, prefix }, place) => {
  for (let index = 0; ; index++) await appendOne(place, session, `${prefix}-${index}`);
};

export const appendOnce: Perform<"append-once"> = async (
  { session, messageId, commitId },
  { store, recorder },
) => {
  // The counter is what would show a second time: a message of the same id would not.
  const ops = [
    appending({ id: messageId, role: "user", content: "the same from everybody" }),
    count({ everybody: 1 }),
  ];
  const action = { kind: "append", ids: [messageId], commitId } as const;
  const result = await recorder.call(session, action, () => store.commit(session, ops, { commitId }), told);
  return { revision: result.revision, duplicate: result.duplicate };
};

/** As a bot does it: read, let the model think, replace everything, and once more if the history was rewritten meanwhile. */
export const replace: Perform<"replace"> = async ({ session, prefix, count }, { store, recorder }) => {
  for (let index = 0; index < count; index++) {
    const id = `${prefix}-${index}`;
    const replaceOnce = async (): Promise<MutationResult> => {
      const read = await store.getSession(session);
      const messages = [...(read?.messages ?? []), { id, role: "assistant", content: id }];
      return store.setChatHistory(session, messages, { base: read?.revision ?? 0 });
    };
    const replaceNow = (): Promise<MutationResult> => untilMerged(replaceOnce);
    await recorder.call(session, { kind: "insert", ids: [id] }, replaceNow, told);
  }
  return count;
};

/** Others win now and then, but one of them always does: far fewer conflicts in a row are to be expected. */
const MAX_CONFLICTS = 200;

async function untilMerged(attempt: () => Promise<MutationResult>): Promise<MutationResult> {
  for (let conflicts = 0; conflicts < MAX_CONFLICTS; conflicts++) {
    const outcome = await outcomeOf(attempt, "REVISION_CONFLICT");
    if (outcome.ok) return outcome.result;
  }
  return attempt();
}

export const read: Perform<"read"> = async ({ session }, place) => {
  const shown = await readAll(place, session);
  return [...shown];
};

/** Everything that the session holds, archived messages first, at one revision. */
export async function readAll({ store, recorder }: Workplace, session: string): Promise<readonly string[]> {
  const perform = async (): Promise<HistoryResult> => {
    const outcome = await outcomeOf(() => store.exportSession(session), "SESSION_NOT_FOUND");
    if (!outcome.ok) return { ids: [] };
    const { revision, messages } = outcome.result.session;
    return { revision, ids: messages.map((message) => message.id) };
  };
  const result = await recorder.call(session, { kind: "read" }, perform, (shown) => shown);
  return result.ids ?? [];
}

/** What the log keeps of an answer. */
export function told(result: MutationResult): HistoryResult {
  return { revision: result.revision, duplicate: result.duplicate };
}

async function appendOne({ store, recorder }: Workplace, session: string, id: string): Promise<void> {
  const message = { id, role: "user", content: id };
  await recorder.call(session, { kind: "append", ids: [id] }, () => store.addMessage(session, message), told);
}
