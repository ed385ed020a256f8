import type { JsonObject, MessageDraft } from "@sessions/protocol";
import type { Place } from "../harness.js";
import { withOperations } from "./rewritten-requests.js";

/** The same place; every added message is rewritten before it reaches the backend. */
export function withMessages(place: Place, rewrite: (message: MessageDraft) => MessageDraft): Place {
  return withOperations(place, (op) =>
    op.op === "append" || op.op === "splice" ? { ...op, messages: op.messages.map(rewrite) } : op,
  );
}

/** The same place; the metadata of every added message is rewritten before it reaches the backend. */
export function withMetadata(place: Place, rewrite: (metadata: JsonObject) => JsonObject): Place {
  return withMessages(place, (message) =>
    message.metadata === undefined ? message : { ...message, metadata: rewrite(message.metadata) },
  );
}
