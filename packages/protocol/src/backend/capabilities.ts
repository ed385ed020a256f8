/** Something that a store cannot do, and why. */
export interface Lacking {
  readonly supported: false;
  readonly reason: string;
}

/** Something that a store can do. */
export interface Supported {
  readonly supported: true;
}

export type Capability = Supported | Lacking;

/** What a store can do. The conformance kit tests what is declared absent as well. */
export interface Capabilities {
  /** Whether one commit call may span sessions (`store`) or not (`session`). */
  readonly groupCommit: "session" | "store";
  /** Acknowledged commits outlive the process. */
  readonly durable: Capability;
  /** Several processes may open the same data. */
  readonly multiProcess: Capability;
  /** A process that stands still in the middle of a commit holds up no other. Absent: supported. */
  readonly independentWriters?: Capability;
  readonly search: Capability;
}
