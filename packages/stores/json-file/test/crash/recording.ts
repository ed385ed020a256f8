import {
  type CommitOutcome,
  type CommitRequest,
  createStore,
  type SessionBackend,
  SessionError,
  type SessionState,
  type SessionStore,
} from "@sessions/protocol/backend";
import { Disk } from "./disk.js";
import type { DiskEvent } from "./disk-event.js";
import type { DiskImage } from "./disk-image.js";
import { ManualClock } from "./manual-clock.js";
import { mount } from "./mount.js";
import type { BackendOptions, OpenBackend } from "./open-backend.js";
import { type Accepted, type Version, versionsOf } from "./versions.js";

/** What happened on a disk, and what every session on it was in turn. */
export interface Run {
  readonly base: DiskImage;
  readonly events: readonly DiskEvent[];
  readonly sessions: ReadonlyMap<string, readonly Version[]>;
  readonly options: BackendOptions;
}

/** What a recording begins with. */
export interface Start {
  readonly open: OpenBackend;
  readonly base: DiskImage;
  readonly now: number;
  readonly rotateBytes?: number;
  /** What the disk holds already. */
  readonly states?: ReadonlyMap<string, SessionState | undefined>;
}

/** Stores that work on a disk of their own, and a record of what they did and acknowledged. */
export class Recording {
  readonly disk: Disk;
  readonly clock: ManualClock;
  readonly #start: Start;
  readonly #accepted = new Map<string, Accepted[]>();
  readonly #stores: SessionStore[] = [];

  constructor(start: Start) {
    this.#start = start;
    this.disk = new Disk(start.base);
    this.clock = new ManualClock(start.now);
    for (const session of start.states?.keys() ?? []) this.#accepted.set(session, []);
  }

  /** Opens the store as a process of its own. */
  async open(process: string): Promise<SessionStore> {
    return this.#openOn(this.disk, process);
  }

  /** What a process would do now, done on a copy of the disk. The caller applies the events here, one by one. */
  async elsewhere(process: string, act: (store: SessionStore) => Promise<unknown>): Promise<DiskEvent[]> {
    const copy = new Disk(this.disk.image());
    await act(await this.#openOn(copy, process));
    return copy.events;
  }

  /** Closes all stores and returns the record. */
  async finish(): Promise<Run> {
    for (const store of this.#stores) await store.close();
    const { base, states } = this.#start;
    const sessions = new Map<string, readonly Version[]>();
    for (const [session, accepted] of this.#accepted)
      sessions.set(session, versionsOf(states?.get(session), accepted));
    return { base, events: this.disk.events, sessions, options: this.#options() };
  }

  #options(): BackendOptions {
    const { rotateBytes } = this.#start;
    return { clock: this.clock, ...(rotateBytes === undefined ? {} : { rotateBytes }) };
  }

  async #openOn(disk: Disk, process: string): Promise<SessionStore> {
    const backend = await this.#start.open(mount(disk, process), this.#options());
    const store = createStore(this.#recorded(disk, backend), { clock: this.clock });
    this.#stores.push(store);
    return store;
  }

  #recorded(disk: Disk, backend: SessionBackend): SessionBackend {
    return {
      capabilities: backend.capabilities,
      commit: async (requests) => {
        for (const { sessionId, id } of requests)
          disk.note({ kind: "attempted", session: sessionId, commit: id });
        const outcomes = await backend.commit(requests);
        for (const [index, request] of requests.entries())
          this.#recordOutcome(disk, request, outcomes[index]);
        return outcomes;
      },
      read: (...call) => backend.read(...call),
      document: (...call) => backend.document(...call),
      list: (...call) => backend.list(...call),
      watch: (...call) => backend.watch(...call),
      verify: (...call) => backend.verify(...call),
      describe: () => backend.describe(),
      close: () => backend.close(),
    };
  }

  #recordOutcome(disk: Disk, request: CommitRequest, outcome: CommitOutcome | undefined): void {
    if (outcome === undefined) throw new Error("a request without an outcome");
    const session = request.sessionId;
    const accepted = this.#accepted.get(session) ?? [];
    this.#accepted.set(session, accepted);
    if (outcome.status === "applied") accepted.push({ request, revision: outcome.revision });
    disk.note({ kind: "acknowledged", session, revision: reportedRevision(outcome) });
  }
}

/** Every outcome, a refusal too, reports a revision that must not be lost any more. */
function reportedRevision(outcome: CommitOutcome): number {
  if (outcome.status !== "rejected") return outcome.revision;
  return SessionError.is(outcome.error, "REVISION_CONFLICT") ? outcome.error.actual : 0;
}
