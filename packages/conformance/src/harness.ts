import type { Json, SessionBackend, SessionStore } from "@sessions/protocol";

/**
 * How another process opens the same data: the kit's worker imports `module` and calls its `open` with `argument`; and
 * again for another place, when it has closed the store before.
 */
export interface OtherProcess {
  /** URL of a module that exports `open(argument): Promise<SessionStore>`; plain JavaScript for `node`. */
  readonly module: string;
  readonly argument: Json;
}

/** One place that holds data, empty at first. Every case gets its own. */
export interface Place {
  /** Opens a store on this place; again and again, on the same data. The kit closes what it opens. */
  open(): Promise<SessionStore>;
  /** Opens the backend alone, on the same data. */
  openBackend(): Promise<SessionBackend>;
  /** Spoils the stored data of one session, so that it can no longer be read. Durable stores give this. */
  corrupt?(sessionId: string): Promise<void>;
  /** Marks the stored data as written by a format newer than this store knows. Durable stores give this. */
  newerFormat?(): Promise<void>;
  /** Makes the engine unreachable until the returned function is called. Stores with a server give this. */
  interrupt?(): Promise<() => Promise<void>>;
  /** Given by stores that several processes may open. */
  readonly otherProcess?: OtherProcess;
  /** Removes everything. */
  cleanup(): Promise<void>;
}

/** What a store author writes to join the kit. */
export interface Harness {
  /** For test titles. */
  readonly name: string;
  /** A new, empty place. */
  place(): Promise<Place>;
}
