import type { CommitMemory, TurnMemory } from "@sessions/protocol/backend";
import {
  type ForgetLimit,
  type MemoryEntries,
  type MemoryKind,
  ReadRequired,
  type RowCache,
  RunBuilder,
  Runs,
  type SessionRows,
  type StoredMessage,
} from "@sessions/row-engine";
import { readGeneratedCommit, readGivenCommit, readTurn } from "./memory-text.js";
import type { Lookups, Wanted } from "./wanted.js";

/** What a decision took for granted: that the session knows none of these ids. */
export interface AssumedAbsences {
  readonly messages: Set<string>;
  readonly commits: Set<string>;
  readonly turns: Set<string>;
}

interface RowsContext {
  readonly id: string;
  /** Rows are cached by the life of the session that they belong to. */
  readonly life: string;
  readonly cache: RowCache<string>;
  readonly drafts: ReadonlyMap<number, StoredMessage>;
  readonly lookups: Lookups;
  /** With it, ids that were not looked up are taken for new, and noted here. Without it they have to be read. */
  readonly assumed: AssumedAbsences | undefined;
}

/** The rows of one session at one version and revision of it. What is not known is thrown as `ReadRequired<Wanted>`. */
export class RedisSessionRows implements SessionRows {
  readonly #context: RowsContext;

  constructor(context: RowsContext) {
    this.#context = context;
  }

  message(row: number): StoredMessage {
    const known = this.known(row);
    if (known === undefined) throw required({ rows: new Runs([{ from: row, to: row + 1 }]) });
    return known;
  }

  messages(runs: Runs): readonly StoredMessage[] {
    const found: StoredMessage[] = [];
    const missing = new RunBuilder();
    for (const { from, to } of runs.list)
      for (let row = from; row < to; row++) {
        const known = this.known(row);
        if (known === undefined) missing.add(row, undefined);
        else found.push(known);
      }
    if (found.length < runs.length) throw required({ rows: new Runs(missing.finish()) });
    return found;
  }

  /** Drafts first: they are known, and most of what changes is one. */
  *rowsOf(messageId: string): Generator<number> {
    const { drafts, lookups, assumed } = this.#context;
    for (const [row, { message }] of drafts) if (message.id === messageId) yield row;
    const listed = lookups.ids.get(messageId);
    if (listed !== undefined) yield* listed;
    else if (assumed === undefined) throw required({ ids: [messageId] });
    else assumed.messages.add(messageId);
  }

  remembered<Kind extends MemoryKind>(kind: Kind, id: string): MemoryEntries[Kind] | undefined;
  remembered(kind: MemoryKind, id: string): CommitMemory | TurnMemory | undefined {
    if (kind === "turn") return this.#turn(id);
    const { lookups, assumed } = this.#context;
    if (!lookups.commits.has(id)) {
      if (assumed === undefined) throw required({ commits: [id] });
      assumed.commits.add(id);
      return undefined;
    }
    const text = lookups.commits.get(id);
    if (text === undefined) return undefined;
    const location = `commit ${id} of ${this.#location}`;
    return kind === "commit" ? readGivenCommit(text, location) : readGeneratedCommit(id, text, location);
  }

  allRemembered<Kind extends MemoryKind>(kind: Kind): readonly MemoryEntries[Kind][];
  allRemembered(kind: MemoryKind): readonly (CommitMemory | TurnMemory)[] {
    const { allCommits, allTurns } = this.#context.lookups;
    if (kind === "generated") return []; // they are looked up and never listed
    const all = kind === "commit" ? allCommits : allTurns;
    if (all === undefined) throw required(kind === "commit" ? { allCommits: true } : { allTurns: true });
    return all;
  }

  /** The scripts forget by themselves, because append.lua has to. */
  forgettable(_kind: MemoryKind, _limit: ForgetLimit): { readonly count: number; readonly newestAt: number } {
    return { count: 0, newestAt: 0 };
  }

  #turn(id: string): TurnMemory | undefined {
    const { lookups, assumed } = this.#context;
    if (!lookups.turns.has(id)) {
      if (assumed === undefined) throw required({ turns: [id] });
      assumed.turns.add(id);
      return undefined;
    }
    const text = lookups.turns.get(id);
    return text === undefined ? undefined : readTurn(text, `turn ${id} of ${this.#location}`);
  }

  get #location(): string {
    return `session ${this.#context.id}`;
  }

  /** The message of a row, if it is known. */
  known(row: number): StoredMessage | undefined {
    const { cache, life, drafts } = this.#context;
    return cache.get(life, row) ?? drafts.get(row);
  }
}

function required(wanted: Wanted): ReadRequired<Wanted> {
  return new ReadRequired(wanted);
}
