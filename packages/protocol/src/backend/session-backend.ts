import type { SessionDocument } from "../session/session-document.js";
import type { Capabilities } from "./capabilities.js";
import type { Change, WatchTarget } from "./change.js";
import type { CommitOutcome } from "./commit-outcome.js";
import type { CommitRequest } from "./commit-request.js";
import type { LeaseClock } from "./lease-time.js";
import type { ListQuery, Page } from "./list-query.js";
import type { SearchHit, SearchQuery } from "./search.js";
import type { Selection } from "./selection.js";
import type { SessionRecord } from "./session-record.js";
import type { StoreDescription } from "./store-description.js";
import type { Verification } from "./verification.js";

/** A summary as backends list it: the turn is raw, `createStore` derives what users see. */
export type SummaryRecord = Omit<SessionRecord, "messages" | "revisions">;

/**
 * What a store author writes. Naive on purpose: everything that reaches it is validated, named and planned, and
 * `createStore` does the rest. Failures are thrown as `SessionError`; absence is `undefined`, and nothing else is.
 */
export interface SessionBackend {
  /** What it can do; what it cannot, with the reason. Known before anything is read. */
  readonly capabilities: Capabilities;
  /**
   * A clock that every process which opens the same data can read, if there is one: then the turn of a process that died
   * is taken over as soon as its lease is over. Without it, another process must first see the lease unchanged for its
   * whole time to live.
   */
  readonly leaseClock?: LeaseClock;
  /**
   * Applies each request atomically, in order, with the outcome that `applyCommit` would give. One outcome per
   * request: one that is rejected does not touch its neighbours. Resolves when all of them are durable. The next call for
   * the same sessions comes after that.
   */
  commit(requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]>;
  /** Always from the backing data: sees every commit acknowledged before the call, by any process. */
  read(sessionId: string, select: Selection): Promise<SessionRecord | undefined>;
  /** The whole session at one revision. */
  document(sessionId: string): Promise<SessionDocument | undefined>;
  /** One page of sessions: complete, in order, none that is deleted or expired. */
  list(query: ListQuery): Promise<Page<SummaryRecord>>;
  /** Ends soon after `signal` aborts, also while it waits or reads, and leaves nothing running. */
  watch(target: WatchTarget, signal: AbortSignal): AsyncIterable<Change>;
  /** Reads and checks everything of one session. `undefined` if there is none. */
  verify(sessionId: string): Promise<Verification | undefined>;
  /** Only where `capabilities.search` is supported. */
  search?(query: SearchQuery): Promise<Page<SearchHit>>;
  /** What is really in force, found out now: durability, format version, health. Without secrets. */
  describe(): Promise<StoreDescription>;
  /** Lets go of everything that it opened. `createStore` calls it once, when no call is under way. */
  close(): Promise<void>;
}
