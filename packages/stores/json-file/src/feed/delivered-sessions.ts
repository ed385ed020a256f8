import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { ObservedSession } from "./observed-session.js";

/** With 10 000 sessions, one changed session repeats about 80 to a watcher that resumes. A cursor is 1 kB of text. */
const GROUPS = 128;
/** A changed group is taken for unchanged once in 2^48. */
const FINGERPRINT_BYTES = 6;

/** How many bytes describe all groups. */
export const DELIVERED_BYTES: number = GROUPS * FINGERPRINT_BYTES;

/**
 * Which changes were delivered to a watcher, in few bytes: sessions are divided into groups by their ids, and each group
 * has a fingerprint of its sessions as they were delivered (the XOR of a hash of each, so that one can be exchanged).
 */
export class DeliveredSessions {
  readonly bytes: Buffer;

  /** Nothing was delivered yet, if there are no bytes. */
  constructor(bytes: Buffer = Buffer.alloc(DELIVERED_BYTES)) {
    this.bytes = bytes;
  }

  static groupOf({ id }: ObservedSession): number {
    return crc32(id) % GROUPS;
  }

  copy(): DeliveredSessions {
    return new DeliveredSessions(Buffer.from(this.bytes));
  }

  add(session: ObservedSession): void {
    this.#toggle(session);
  }

  remove(session: ObservedSession): void {
    this.#toggle(session);
  }

  hasSameGroup(other: DeliveredSessions, group: number): boolean {
    return this.#group(group).equals(other.#group(group));
  }

  copyGroup(from: DeliveredSessions, group: number): void {
    from.#group(group).copy(this.#group(group));
  }

  #group(group: number): Buffer {
    return this.bytes.subarray(group * FINGERPRINT_BYTES, (group + 1) * FINGERPRINT_BYTES);
  }

  #toggle(session: ObservedSession): void {
    const group = this.#group(DeliveredSessions.groupOf(session));
    const hash = hashOf(session);
    for (let n = 0; n < FINGERPRINT_BYTES; n++) group[n] = (group[n] ?? 0) ^ (hash[n] ?? 0);
  }
}

/** With the time: a session that was restored from a backup comes to the same revision again, with other contents. */
function hashOf({ id, revision, at, deleted }: ObservedSession): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([id, revision, at, deleted]))
    .digest();
}
