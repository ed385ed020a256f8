import type { MessageDraft } from "@sessions/protocol";
import type { Place } from "../harness.js";
import { withOperations } from "./rewritten-requests.js";

/** The same place; every added message is rewritten before it reaches the backend. */
export function withMessages(place: Place, rewrite: (message: MessageDraft) => MessageDraft): Place {
  return withOperations(place, (op) =>
    op.op === "append" || op.op === "splice" ? { ...op, messages: op.messages.map(rewrite) } : op,
  );
}
