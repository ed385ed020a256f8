import type { Message } from "@sessions/protocol";
import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Caches drafts by message id, and serves them in sessions that it reads for the first time. */
export const staleDraftsInForks: Control = {
  name: "outdated drafts in forks",
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
