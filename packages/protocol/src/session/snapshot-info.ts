/** A name for the messages and archives that a session had at one revision. */
export interface SnapshotInfo {
  readonly name: string;
  readonly createdAt: number;
  /** The revision that made it, and whose messages and archives it names. */
  readonly revision: number;
  /** How many messages were live. */
  readonly messageCount: number;
}
