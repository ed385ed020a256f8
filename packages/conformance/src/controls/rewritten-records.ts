import type { SessionRecord } from "@sessions/protocol/backend";
import type { Place } from "../harness.js";
import { withBackend } from "./broken-place.js";

/** The same place; every record that a backend reads is rewritten. */
export function withRecords(
  place: Place,
  rewrite: (
    record: SessionRecord,
    read: (id: string) => Promise<SessionRecord | undefined>,
  ) => SessionRecord | Promise<SessionRecord>,
): Place {
  return withBackend(place, (backend) => ({
    read: async (sessionId, select) => {
      const record = await backend.read(sessionId, select);
      return record === undefined ? undefined : rewrite(record, (id) => backend.read(id, select));
    },
  }));
}
