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

/** What a store can do. The conformance kit also tests that declared absences are true. */
export interface Capabilities {
  /** Whether one commit call may span sessions (`store`) or not (`session`). */
  readonly groupCommit: "session" | "store";
  /** Acknowledged commits outlive the process. */
  readonly durable: Capability;
  /** Several processes may open the same data. */
  readonly multiProcess: Capability;
  /** A process that is suspended during a commit does not block other processes. Absent: supported. */
  readonly independentWriters?: Capability;
  readonly search: Capability;
}
