import {
  type CommitMemory,
  type CommitWindow,
  Damage,
  type History,
  type LiveState,
  type SessionState,
  type Snapshot,
  type TurnMemory,
} from "@sessions/protocol/backend";
import { Runs, rowHistory, rowMemory } from "@sessions/row-engine";
import { commitField, FinishedTurns, GeneratedCommits, GivenCommits, turnField } from "./memory-source.js";
import { Missing } from "./missing.js";
import { type RowMoment, RowSource } from "./row-source.js";
import type { RowTable } from "./row-table.js";
import { runsOf } from "./runs-of.js";
import type { Parts, SmallState } from "./stored-state.js";

/** What the fields of a session say without being looked into. */
export interface Head {
  readonly revision: number;
  readonly incarnation: string;
  /** Another text whenever the session is written anew: a document may bring its incarnation back, but not the numbers of its rows. */
  readonly life: string;
  readonly expiresAt: number | undefined;
  readonly nextRow: number;
  readonly updatedAt: number;
  /** Until when the index need not be told of changes. */
  readonly lease: number;
  /** Of the small state, and of the parts: another text with every write. */
  readonly version: string;
  readonly partsVersion: string;
  readonly turnHorizon: number;
}

/** What is remembered of a session, whether it is there or not. */
export interface WindowHead {
  readonly revision: number;
  readonly isLive: boolean;
  readonly expiresAt: number | undefined;
  readonly deletedAt: number | undefined;
  readonly givenHorizon: number;
  readonly generatedHorizon: number;
}

/** The small state and the parts of a session. */
export interface Content {
  readonly small: SmallState;
  readonly parts: Parts;
  readonly table: RowTable;
}

/** What was looked up beside. */
export interface Lookups {
  readonly fields: ReadonlyMap<string, string | undefined>;
  readonly memories: ReadonlyMap<string, string | undefined>;
  readonly given?: readonly CommitMemory[] | undefined;
  readonly turns?: readonly TurnMemory[] | undefined;
}

/** A session that is there. */
export interface Present {
  readonly head: Head;
  readonly content: Content;
}

/** What the server said of a session at one moment. Whatever else is asked of it is thrown for, as `Missing`. */
export class Moment implements RowMoment {
  readonly sessionId: string;
  /** The server's time. */
  readonly now: number;
  readonly present: Present | undefined;
  readonly window: WindowHead | undefined;
  readonly #lookups: Lookups;
  #state: SessionState | undefined;
  #isMade = false;

  constructor(
    sessionId: string,
    now: number,
    present: Present | undefined,
    window: WindowHead | undefined,
    lookups: Lookups,
  ) {
    this.sessionId = sessionId;
    this.now = now;
    this.present = present;
    this.window = window;
    this.#lookups = lookups;
  }

  get lookups(): Lookups {
    return this.#lookups;
  }

  /** Whether nothing has changed from then to now. */
  isSameAs({ present, window }: Moment): boolean {
    const [head, before] = [this.present?.head, present?.head];
    return (
      head?.incarnation === before?.incarnation &&
      head?.version === before?.version &&
      this.window?.revision === window?.revision
    );
  }

  /** With what was looked up before. */
  with({ fields, memories, given, turns }: Lookups): Moment {
    const { sessionId, now, present, window } = this;
    const own = this.#lookups;
    return new Moment(sessionId, now, present, window, {
      fields: new Map([...fields, ...own.fields]),
      memories: new Map([...memories, ...own.memories]),
      given: own.given ?? given,
      turns: own.turns ?? turns,
    });
  }

  get table(): RowTable {
    if (this.present === undefined) throw new Damage("the session", "is not there");
    return this.present.content.table;
  }

  get version(): string {
    return this.present?.head.version ?? "";
  }

  /** The session, for `applyCommit`. */
  get state(): SessionState | undefined {
    if (!this.#isMade) this.#state = this.#made();
    this.#isMade = true;
    return this.#state;
  }

  /** The runs of its messages. */
  get runs(): Runs {
    const { present } = this;
    return present === undefined
      ? Runs.EMPTY
      : Runs.fromJson(present.content.small.runs, present.head.nextRow);
  }

  rowsOfId(id: string): readonly number[] {
    const field = `i${id}`;
    if (!this.#lookups.fields.has(field)) throw new Missing({ fields: [field] });
    return this.#lookups.fields.get(field)?.split(",").map(Number) ?? [];
  }

  /** The window of commits. */
  commits(window: WindowHead): CommitWindow {
    const find = (id: string): string | undefined => {
      const field = commitField(id);
      if (!this.#lookups.memories.has(field)) throw new Missing({ memories: [field] });
      return this.#lookups.memories.get(field);
    };
    const all = (): readonly CommitMemory[] => {
      if (this.#lookups.given === undefined) throw new Missing({ givenCommits: true });
      return this.#lookups.given;
    };
    const none = (): readonly CommitMemory[] => []; // generated ids are looked up, and never listed
    return {
      given: rowMemory(new GivenCommits({ find, all, horizon: window.givenHorizon })),
      generated: rowMemory(new GeneratedCommits({ find, all: none, horizon: window.generatedHorizon })),
    };
  }

  #made(): SessionState | undefined {
    const { present, window, sessionId } = this;
    if (window === undefined) {
      if (present !== undefined) throw new Damage(`the window of ${sessionId}`, "is not there");
      return undefined;
    }
    if (present !== undefined) return this.#live(present, window);
    if (window.deletedAt !== undefined && !window.isLive)
      return {
        status: "deleted",
        revision: window.revision,
        deletedAt: window.deletedAt,
        commits: this.commits(window),
      };
    if (window.expiresAt === undefined)
      throw new Damage(
        `the session ${sessionId}`,
        "is not there, though it was neither deleted nor has expired: it was evicted or removed",
      );
    const { revision, expiresAt } = window;
    return { status: "deleted", revision: revision + 1, deletedAt: expiresAt, commits: this.commits(window) };
  }

  #live({ head, content: { small, parts } }: Present, window: WindowHead): LiveState {
    const snapshots: Snapshot[] = [];
    for (const { runs, liveFrom, partials, archives, ...info } of parts.snapshots) {
      const history = this.#history(Runs.fromJson(runs), { liveFrom, partials, archives }, snapshots);
      snapshots.push({ ...info, history });
    }
    const { title, expiresIn, renewOnUse, parent, turn, lastTurn, liveFrom, partials, unknownFields } = small;
    const { archives, metadata } = parts;
    return {
      status: "live",
      incarnation: head.incarnation,
      revision: head.revision,
      createdAt: small.createdAt,
      updatedAt: head.updatedAt,
      ...(head.expiresAt === undefined ? {} : { expiresAt: head.expiresAt }),
      ...(expiresIn === undefined ? {} : { expiresIn }),
      ...(renewOnUse === undefined ? {} : { renewOnUse }),
      ...(title === undefined ? {} : { title }),
      labels: small.labels,
      metadata,
      counters: small.counters,
      ...(parent && { parent }),
      history: this.#history(this.runs, { liveFrom, partials, archives }, snapshots),
      // A session that does not say: only a base at this very revision is safe.
      rewrittenAt: small.rewrittenAt ?? head.revision,
      snapshots,
      ...(turn && { turn }),
      queue: small.queue,
      ...(lastTurn && { lastTurn }),
      finishedTurns: rowMemory(this.#turns(head)),
      commits: this.commits(window),
      ...(unknownFields && { unknownFields }),
    };
  }

  #turns(head: Head): FinishedTurns {
    const find = (id: string): string | undefined => {
      const field = turnField(id);
      if (!this.#lookups.fields.has(field)) throw new Missing({ fields: [field] });
      return this.#lookups.fields.get(field);
    };
    const all = (): readonly TurnMemory[] => {
      if (this.#lookups.turns === undefined) throw new Missing({ finishedTurns: true });
      return this.#lookups.turns;
    };
    return new FinishedTurns({ find, all, horizon: head.turnHorizon });
  }

  /** A history; the same messages as in one of the snapshots are the very same object. */
  #history(
    runs: Runs,
    rest: Pick<History, "liveFrom" | "partials" | "archives">,
    snapshots: readonly Snapshot[],
  ): History {
    const same = snapshots.find(({ history }) => runsOf(history)?.equals(runs) === true);
    if (same !== undefined) return { ...same.history, ...rest };
    return rowHistory(new RowSource(runs, this), rest);
  }
}
