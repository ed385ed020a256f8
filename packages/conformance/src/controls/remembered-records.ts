import { type SessionBackend, SessionError, type SessionRecord } from "@sessions/protocol/backend";

/** What the instances of a place have read of its sessions, for faults that serve it when it can no longer be read. */
export class RememberedRecords {
  readonly #records = new Map<string, SessionRecord>();

  /** Reads, and gives to `instead` what could be read last if now it is damaged or of a newer format. */
  async read(
    backend: SessionBackend,
    sessionId: string,
    select: Parameters<SessionBackend["read"]>[1],
    instead: (record: SessionRecord | undefined, error: unknown) => SessionRecord | undefined,
  ): Promise<SessionRecord | undefined> {
    try {
      const record = await backend.read(sessionId, select);
      if (record !== undefined && select.messages === "all") this.#records.set(sessionId, record);
      return record;
    } catch (error) {
      if (!SessionError.is(error, "SESSION_CORRUPTED", "FORMAT_UNSUPPORTED")) throw error;
      return instead(this.#records.get(sessionId), error);
    }
  }
}
