import type { Json, SessionBackend, SessionStore } from "@sessions/protocol/backend";

/**
 * How another process opens the same data: the kit's worker imports `module` and calls its `open` with `argument`; and
 * again for another place, when it has closed the store before.
 */
export interface OtherProcess {
  /** URL of a module that exports `open(argument): Promise<SessionStore>`; plain JavaScript for `node`. */
  readonly module: string;
  readonly argument: Json;
}

/**
 * How the engine fails a write. `refused`: it takes none of it, as a full disk does. `unconfirmed`: it may have all of it and
 * does not say so, as a disk does whose sync fails.
 */
export type WriteFailure = "refused" | "unconfirmed";

/** A backend whose engine can be made to fail. */
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
 * Removes one part of what is stored of a session: a row, a file, a key, a field. `number` counts the parts from 0. Returns what was
 * removed, or `undefined` if the session has no part of that number. What is needed to find the session at all is no part.
 */
export type RemovePart = (sessionId: string, number: number) => Promise<string | undefined>;

/** One place that holds data, empty at first. Every case gets its own. */
export interface Place {
  /** Opens a store on this place; again and again, on the same data. The kit closes what it opens. */
  open(): Promise<SessionStore>;
  /** Opens the backend alone, on the same data. */
  openBackend(): Promise<SessionBackend>;
  /** Spoils the stored data of one session, so that it can no longer be read. Durable stores give this. */
  corrupt?(sessionId: string): Promise<void>;
  /** Durable stores give this, or say why a session of theirs has no parts that could get lost by themselves. */
  readonly removePart?: RemovePart | NoHook;
  /**
   * Puts things beside the stored data that the store did not write, as another program or an operator would. Durable stores give this,
   * or say why nothing else can be there.
   */
  readonly plantForeign?: (() => Promise<void>) | NoHook;
  /**
   * Removes all data while stores are open: the engine was restarted without it. Stores with a server give this.
   */
  loseEverything?(): Promise<void>;
  /** Marks the stored data as written by a format newer than this store knows, each session too. Durable stores give this. */
  newerFormat?(): Promise<void>;
  /** Makes the engine unreachable until the returned function is called. Stores with a server give this. */
  interrupt?(): Promise<() => Promise<void>>;
  /** Opens a backend on the same data whose writes can be made to fail. Durable stores without a server give some of these. */
  readonly writeFailures?: Readonly<Partial<Record<WriteFailure, () => Promise<FailingBackend>>>>;
  /** Given by stores that several processes may open. */
  readonly otherProcess?: OtherProcess;
  /** Removes everything. */
  cleanup(): Promise<void>;
}

/** A case that a store is known to fail, until its cause is fixed. */
export interface ExpectedFailure {
  readonly section: string;
  /** The case's name. */
  readonly case: string;
  /** Why the store fails it. */
  readonly reason: string;
}

/** What a store author writes to join the kit. */
export interface Harness {
  /** For test titles. */
  readonly name: string;
  /** A new, empty place. */
  place(): Promise<Place>;
  /** Cases that must fail: one that passes fails the run, so the list cannot outlive its reasons. */
  readonly expectedFailures?: readonly ExpectedFailure[];
  /**
   * Names of sections that another run of the same store has, so that a second run under other settings has only what
   * these settings can change. A store whose only run leaves sections out does not conform.
   */
  readonly coveredElsewhere?: readonly string[];
}
