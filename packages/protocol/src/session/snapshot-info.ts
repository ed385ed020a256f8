/** The messages and archives of a session at one revision, under a name. */
export interface SnapshotInfo {
  readonly name: string;
  readonly createdAt: number;
  /** The revision of the commit that created it. */
  readonly revision: number;
  /** The number of live messages in it. */
  readonly messageCount: number;
}
