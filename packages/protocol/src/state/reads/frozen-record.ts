import type { SessionRecord } from "../../backend/session-record.js";
import { frozen } from "../../json/frozen.js";

/** Freezes a record that shares its messages with a state in memory, so that a reader cannot change the state. */
export function frozenRecord(record: SessionRecord): SessionRecord {
  for (const message of record.messages) frozen(message);
  return frozenExceptMessages(record);
}

/** The same for messages that are already frozen: checking each of them again would be most of the cost of a read. */
export function frozenExceptMessages(record: SessionRecord): SessionRecord {
  for (const value of Object.values(record)) if (value !== record.messages) frozen(value);
  return record;
}
