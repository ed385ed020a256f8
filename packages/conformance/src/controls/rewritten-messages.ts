import type { MessageDraft } from "@sessions/protocol";
import type { Place } from "../harness.js";
import { withOperations } from "./rewritten-requests.js";

/** The same place, where every message that is appended is rewritten on its way to the engine. */
export function withMessages(place: Place, rewrite: (message: MessageDraft) => MessageDraft): Place {
  return withOperations(place, (op) =>
    op.op === "append" || op.op === "splice" ? { ...op, messages: op.messages.map(rewrite) } : op,
  );
}
