import { withBackend } from "./broken-place.js";
import type { Control } from "./control.js";

/** Copies messages into the archive and does not remove them from the live ones. */
export const archiveKeepsLiveMessages: Control = {
  name: "archived messages that stay live",
  caughtBy: "archives never resurrect, never vanish",
  breakPlace: (place) =>
    withBackend(place, (backend) => ({
      read: async (sessionId, select) => {
        const record = await backend.read(sessionId, select);
        const archive = record?.archives.at(-1)?.id;
        if (record === undefined || archive === undefined || select.messages !== "all") return record;
        const copied = await backend.read(sessionId, { messages: { archive } });
        const messages = [...(copied?.messages ?? []), ...record.messages];
        return { ...record, messages, messageCount: messages.length };
      },
    })),
};
