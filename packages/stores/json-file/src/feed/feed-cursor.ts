import { crc32 } from "node:zlib";
import { SessionError } from "@sessions/protocol";
import { DELIVERED_BYTES, DeliveredSessions } from "./delivered-sessions.js";

const VERSION = 1;
const CHECKSUM_BYTES = 4;

/**
 * The cursor of a watcher that got these changes. It is neither a position nor a time, because the sessions of a folder
 * have no common order: it describes what was delivered, and what differs from that was not.
 */
export function cursorOf(delivered: DeliveredSessions): string {
  const cursor = Buffer.alloc(1 + DELIVERED_BYTES + CHECKSUM_BYTES, VERSION);
  delivered.bytes.copy(cursor, 1);
  cursor.writeUInt32BE(crc32(cursor.subarray(0, -CHECKSUM_BYTES)), 1 + DELIVERED_BYTES);
  return cursor.toString("base64url");
}

/** What was delivered to the watcher that has this cursor. INVALID_ARGUMENT for anything but a whole cursor. */
export function readCursor(cursor: string): DeliveredSessions {
  const bytes = Buffer.from(cursor, "base64url");
  const body = bytes.subarray(0, -CHECKSUM_BYTES);
  const isWhole = bytes.length === 1 + DELIVERED_BYTES + CHECKSUM_BYTES && body[0] === VERSION;
  if (isWhole && bytes.readUInt32BE(body.length) === crc32(body))
    return new DeliveredSessions(body.subarray(1));
  throw SessionError.of("INVALID_ARGUMENT", "target.since is not the cursor of a change of this store.", {
    path: "target.since",
  });
}
