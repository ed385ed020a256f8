import type { SessionRecord } from "../../backend/session-record.js";
import { frozen } from "../../json/frozen.js";

/** A record that shares its messages with a folded state: what a reader does to it must not reach the state. */
export function frozenRecord(record: SessionRecord): SessionRecord {
  for (const message of record.messages) frozen(message);
  return frozenExceptMessages(record);
}

/** The same for messages that are frozen already: to look at each of them again would be most of what a read costs. */
export function frozenExceptMessages(record: SessionRecord): SessionRecord {
  for (const value of Object.values(record)) if (value !== record.messages) frozen(value);
  return record;
}
