import { type SessionBackend, SessionError, type SessionRecord } from "@sessions/protocol/backend";
import type { Place } from "../harness.js";
import { withBackend } from "./broken-place.js";

/** The last records that were read, for faults that serve them after damage. */
export class RememberedRecords {
  readonly #records = new Map<string, SessionRecord>();

  /** Reads a record. If it is damaged or of a newer format, calls `fallback` with the last one that was read. */
  async read(
    backend: SessionBackend,
    sessionId: string,
    select: Parameters<SessionBackend["read"]>[1],
    fallback: (record: SessionRecord | undefined, error: unknown) => SessionRecord | undefined,
  ): Promise<SessionRecord | undefined> {
    try {
      const record = await backend.read(sessionId, select);
      if (record !== undefined && select.messages === "all") this.#records.set(sessionId, record);
      return record;
    } catch (error) {
      if (!SessionError.is(error, "SESSION_CORRUPTED", "FORMAT_UNSUPPORTED")) throw error;
      return fallback(this.#records.get(sessionId), error);
    }
  }
}

/** The same place; sessions that are damaged are read with a part of the messages that were read last. */
export function withRememberedMessages(
  place: Place,
  select: (messages: SessionRecord["messages"]) => SessionRecord["messages"],
): Place {
  const records = new RememberedRecords();
  return withBackend(place, (backend) => ({
    read: (sessionId, selection) =>
      records.read(
        backend,
        sessionId,
        selection,
        (record) => record && { ...record, messages: select(record.messages) },
      ),
  }));
}
