import { randomUUID } from "node:crypto";
import type { CommitRequest, Operation, SessionBackend } from "@sessions/protocol/backend";
import type { Control } from "./control.js";
import { withRequests } from "./rewritten-requests.js";

/** Adds a message that the session already has again, under another id. */
export const messageIdIgnored: Control = {
  name: "message id ignored",
  caughtBy: "message ids",
  breakPlace: (place) => withRequests(place, renamed),
};

async function renamed(request: CommitRequest, backend: SessionBackend): Promise<CommitRequest> {
  const appended = request.ops.flatMap((op) =>
    op.op === "append" ? op.messages.map((message) => message.id) : [],
  );
  if (appended.length === 0) return request;
  const record = await backend.read(request.sessionId, { messages: { ids: appended } });
  const existing = new Set(record?.messages.map((message) => message.id));
  const rename = (op: Operation): Operation => {
    if (op.op !== "append") return op;
    return {
      ...op,
      messages: op.messages.map((message) =>
        existing.has(message.id) ? { ...message, id: randomUUID() } : message,
      ),
    };
  };
  return { ...request, ops: request.ops.map(rename) };
}
