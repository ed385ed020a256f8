import type { CommitRequest, Operation, SessionBackend } from "@sessions/protocol/backend";
import type { Control } from "./control.js";
import { withRequests } from "./rewritten-requests.js";

/** A snapshot is a number of messages, and a revert truncates the history to it. */
export const snapshotByIndex: Control = {
  name: "snapshot that is a message count",
  caughtBy: "snapshots are states",
  breakPlace: (place) => withRequests(place, truncating),
};

async function truncating(request: CommitRequest, backend: SessionBackend): Promise<CommitRequest> {
  if (!request.ops.some((op) => op.op === "restore")) return request;
  const record = await backend.read(request.sessionId, { messages: "none" });
  const cut = (op: Operation): Operation => {
    const snapshot = op.op === "restore" ? record?.snapshots.find((one) => one.name === op.name) : undefined;
    return snapshot === undefined ? op : { op: "splice", keep: snapshot.messageCount, messages: [] };
  };
  return { ...request, ops: request.ops.map(cut) };
}
