import type { SessionRecord } from "../backend/session-record.js";
import { frozen } from "../json/frozen.js";

/** A record that shares its messages with a folded state: what a reader does to it must not reach the state. */
export function frozenRecord(record: SessionRecord): SessionRecord {
  for (const message of record.messages) frozen(message);
  return { ...frozen({ ...record, messages: [] }), messages: record.messages };
}
