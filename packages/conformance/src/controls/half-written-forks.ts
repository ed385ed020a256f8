import type { Message } from "@sessions/protocol";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Keeps what it saw of a message that was being written, and takes it for the message in every session that is new to it. */
export const halfWrittenForks: Control = {
  name: "half-written in forks",
  caughtBy: "read-fresh",
  breakPlace: (place) =>
    withBackend(place, (backend) => {
      const drafts = new Map<string, Message>();
      const seen = new Set<string>();
      const shown = (sessionId: string, messages: readonly Message[]): readonly Message[] => {
        const isNew = !seen.has(sessionId);
        seen.add(sessionId);
        for (const message of messages) if (message.status === "partial") drafts.set(message.id, message);
        return isNew ? messages.map((message) => drafts.get(message.id) ?? message) : messages;
      };
      return {
        read: async (sessionId, select) => {
          const record = await backend.read(sessionId, select);
          return record && { ...record, messages: shown(sessionId, record.messages) };
        },
        document: async (sessionId) => {
          const document = await backend.document(sessionId);
          return document && { ...document, messages: shown(sessionId, document.messages) };
        },
      };
    }),
};
