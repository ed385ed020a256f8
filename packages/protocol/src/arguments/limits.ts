const KIB = 1024;
const MIB = 1024 * KIB;

/** Maximum sizes. Anything larger is TOO_LARGE, and nothing is written. */
export interface Limits {
  /** Bytes of a session, message, snapshot, turn or commit id. @default 512 */
  readonly idBytes: number;
  /** Bytes of a label's name or value. @default 512 */
  readonly labelBytes: number;
  /** Labels of a session. @default 64 */
  readonly labels: number;
  /** Bytes of one message as the caller passes it. @default 8 MiB */
  readonly messageBytes: number;
  /** Bytes of one metadata value, and of a title. @default 1 MiB */
  readonly metadataBytes: number;
  /** Bytes of everything in one call. Replaced histories, forks and imports are exempt. @default 64 MiB */
  readonly commitBytes: number;
  /** Bytes of a whole session that is created, adopted or imported from a document. @default 1 GiB */
  readonly documentBytes: number;
  /** Items of one list (messages, ids, operations) and keys of one object (metadata, counters). @default 1000000 */
  readonly items: number;
}

export const DEFAULT_LIMITS: Limits = {
  idBytes: 512,
  labelBytes: 512,
  labels: 64,
  messageBytes: 8 * MIB,
  metadataBytes: MIB,
  commitBytes: 64 * MIB,
  documentBytes: 1024 * MIB,
  items: 1_000_000,
};
