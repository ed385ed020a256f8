import type { CommitOutcome, CommitRequest, Operation, SessionBackend } from "@sessions/protocol/backend";

/** A commit request as `createStore` sends it. */
export function request(
  sessionId: string,
  id: string,
  ops: readonly Operation[],
  fields: Partial<CommitRequest> = {},
): CommitRequest {
  return { sessionId, id, at: Date.now(), ops, ...fields };
}

/** An `append` of one message. */
export function appendOperation(messageId: string, content: string = messageId): Operation {
  return { op: "append", messages: [{ id: messageId, role: "user", content }], onExisting: "fail" };
}

/** Sends one request. */
export async function send(backend: SessionBackend, one: CommitRequest): Promise<CommitOutcome> {
  const [outcome] = await backend.commit([one]);
  if (outcome === undefined) throw new Error("the backend gave no outcome for a request");
  return outcome;
}
