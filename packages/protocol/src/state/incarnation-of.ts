import type { CommitRequest } from "../backend/commit-request.js";
import { derivedId } from "../ids/derived-id.js";

/** Names the life of a session that this request brings into being (unless a document names it). */
export function incarnationOf(request: Pick<CommitRequest, "sessionId" | "id">): string {
  return derivedId(`${request.sessionId}\n${request.id}`, 0);
}
