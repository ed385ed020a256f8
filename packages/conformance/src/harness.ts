import type { Json, SessionBackend, SessionStore } from "@sessions/protocol/backend";

/**
 * How another process opens the same data: the kit's worker imports `module` and calls its `open` with `argument`. One
 * worker may open several places, one after the other.
 */
export interface OtherProcess {
  /** URL of a module that exports `open(argument): Promise<SessionStore>`; plain JavaScript for `node`. */
  readonly module: string;
  readonly argument: Json;
}

/**
 * How the engine fails a write. `refused`: nothing was written, as on a full disk. `unconfirmed`: it may have been written, as after
 * a failed sync.
 */
export type WriteFailure = "refused" | "unconfirmed";

/** A backend whose writes can be made to fail. */
export interface FailingBackend {
  readonly backend: SessionBackend;
  /** Every write fails from now on, until the returned function is called. */
  fail(): () => void;
}

/** A hook that a store cannot have, and why. */
export interface NoHook {
  readonly reason: string;
}

/**
 * Removes one stored part of a session: a row, a file, a key, a field. `number` counts the parts from 0. Returns a description of
 * what was removed, or `undefined` if the session has no such part. What is needed to find the session at all is not a part.
 */
export type RemovePart = (sessionId: string, number: number) => Promise<string | undefined>;

/** A place for data, empty at first: a folder, a database, a key prefix. Every case gets its own. */
export interface Place {
  /** Opens a store on this place. Every call opens the same data. The kit closes what it opens. */
  open(): Promise<SessionStore>;
  /** Opens the backend alone, on the same data. */
  openBackend(): Promise<SessionBackend>;
  /** Damages the stored data of one session so that it cannot be read. Required of durable stores. */
  corrupt?(sessionId: string): Promise<void>;
  /** Required of durable stores; `NoHook` if a session has no parts that could be lost separately. */
  readonly removePart?: RemovePart | NoHook;
  /**
   * Adds entries beside the stored data that the store did not write, as another program or an operator might. Required of durable
   * stores; `NoHook` if nothing else can be there.
   */
  readonly plantForeign?: (() => Promise<void>) | NoHook;
  /**
   * Removes all data while stores are open, as a restart of the engine without its data does. Required of stores with a server.
   */
  loseEverything?(): Promise<void>;
  /** Marks the stored data, and each session, as being of a newer format than this store supports. Required of durable stores. */
  newerFormat?(): Promise<void>;
  /** Makes the engine unreachable until the returned function is called. Required of stores with a server. */
  interrupt?(): Promise<() => Promise<void>>;
  /** Opens a backend on the same data whose writes can be made to fail. Required of durable stores without a server. */
  readonly writeFailures?: Readonly<Partial<Record<WriteFailure, () => Promise<FailingBackend>>>>;
  /** Required of stores that several processes may open. */
  readonly otherProcess?: OtherProcess;
  /** Removes everything. */
  cleanup(): Promise<void>;
}

/** A case that a store fails until a known defect is fixed. */
export interface ExpectedFailure {
  readonly section: string;
  /** The case's name. */
  readonly case: string;
  /** Why the store fails it. */
  readonly reason: string;
}

/** What a store author writes to join the kit. */
export interface Harness {
  /** The store's name in test titles. */
  readonly name: string;
  /** A new, empty place. */
  place(): Promise<Place>;
  /** Cases that must fail. If one passes, the run fails. */
  readonly expectedFailures?: readonly ExpectedFailure[];
  /**
   * Names of sections to leave out because another run of the same store has them: a second run, under other settings,
   * needs only what these settings can change. A store whose only run leaves sections out does not conform.
   */
  readonly coveredElsewhere?: readonly string[];
}
