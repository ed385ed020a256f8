import {
  Damage,
  type ExtendOperation,
  extendedMessage,
  frozen,
  type Message,
  parseStored,
} from "@sessions/protocol/backend";
import {
  type EndPlan,
  type ForgetLimit,
  hotStateText,
  type LivePlan,
  type MemoryEntries,
  type MemoryKind,
  type MemoryPlan,
  type MemoryWrite,
  type MessageWrite,
  type PartRow,
  RowCache,
  type Runs,
  readHotState,
  readParts,
  type SessionRows,
  StagedMessages,
  type StoredLive,
  type StoredMessage,
  type StoredSession,
} from "../../src/index.js";

interface StoredRow {
  readonly id: string;
  readonly revision: number;
  readonly body: string;
  readonly extensions: string[];
}

type LiveColumns = Omit<StoredLive, "hot" | "parts"> & { readonly hot: string };

const CACHE_BYTES = 1024 * 1024;

/** What is stored of one session: text in maps, as a database would have it in tables. */
export class MapSession implements SessionRows {
  #session: LiveColumns | Exclude<StoredSession, StoredLive> | undefined;
  readonly #messages = new Map<number, StoredRow>();
  readonly #rowsById = new Map<string, Set<number>>();
  readonly cache = new RowCache<string>(CACHE_BYTES);
  readonly #parts = new Map<number, PartRow>();
  readonly #memories: Readonly<Record<MemoryKind, Map<string, MemoryWrite>>> = {
    commit: new Map(),
    generated: new Map(),
    turn: new Map(),
  };
  /** The number of its last change in the store. */
  change = 0;

  get stored(): StoredSession | undefined {
    if (this.#session?.status !== "live") return this.#session;
    const parts = [...this.#parts.values()].sort((a, b) => a.n - b.n);
    return { ...this.#session, hot: readHotState(this.#session.hot, "hot"), parts: readParts(parts, "map") };
  }

  writeLive(plan: LivePlan): void {
    if (plan.isNewLife) this.#clear();
    for (const write of [...plan.inserts, ...plan.rewrites]) this.#put(write);
    for (const { row, n, op } of plan.extensions) {
      const { extensions } = this.#row(row);
      if (extensions.push(JSON.stringify(op)) !== n + 1) throw new Error("an extension is missing");
    }
    for (const { from, to } of plan.released) for (let row = from; row < to; row++) this.#delete(row);
    for (const part of plan.parts.put) this.#parts.set(part.n, part);
    for (const n of plan.parts.remove) this.#parts.delete(n);
    for (const memory of plan.memories) this.#remember(memory);
    const { hot, parts: _, ...columns } = plan.stored;
    this.#session = { ...columns, hot: hotStateText(hot) };
    this.#check(plan.stored);
  }

  writeEnd({ stored, memories }: EndPlan): void {
    this.#clear();
    for (const memory of memories) this.#remember(memory);
    this.#session = stored;
  }

  /** Writes messages that no commit has brought yet. */
  stage(first: number, messages: readonly Message[]): StagedMessages {
    for (const [index, message] of messages.entries())
      this.#put({ row: first + index, message, revision: 0 });
    return new StagedMessages(first, messages);
  }

  message(row: number): StoredMessage {
    const cached = this.cache.get("", row);
    if (cached !== undefined) return cached;
    const { revision, body, extensions } = this.#row(row);
    const message = extensions.reduce(
      (draft, op) => extendedMessage(draft, parseStored<ExtendOperation>(op, "extension"), { sessionId: "" }),
      parseStored<Message>(body, `row ${row}`),
    );
    const stored = { message: frozen(message), revision };
    this.cache.put("", row, stored, body.length);
    return stored;
  }

  messages(runs: Runs): readonly StoredMessage[] {
    return runs.rows().map((row) => this.message(row));
  }

  *rowsOf(messageId: string): Generator<number> {
    yield* this.#rowsById.get(messageId) ?? [];
  }

  remembered<Kind extends MemoryKind>(kind: Kind, id: string): MemoryEntries[Kind] | undefined {
    const entry = this.#memories[kind].get(id);
    return entry === undefined ? undefined : parseStored<MemoryEntries[Kind]>(entry.body, kind);
  }

  allRemembered<Kind extends MemoryKind>(kind: Kind): readonly MemoryEntries[Kind][] {
    const entries = [...this.#memories[kind].values()].sort((a, b) => a.n - b.n);
    return entries.map(({ body }) => parseStored<MemoryEntries[Kind]>(body, kind));
  }

  forgettable(kind: MemoryKind, limit: ForgetLimit): { readonly count: number; readonly newestAt: number } {
    const found = this.#forgettable(kind, limit);
    return { count: found.length, newestAt: Math.max(0, ...found.map(({ at }) => at)) };
  }

  #forgettable(kind: MemoryKind, { n, at }: ForgetLimit): readonly MemoryWrite[] {
    return [...this.#memories[kind].values()].filter((entry) => entry.n < n && entry.at <= at);
  }

  #remember({ kind, clears, add, forget }: MemoryPlan): void {
    const entries = this.#memories[kind];
    if (clears) entries.clear();
    for (const entry of add) entries.set(entry.id, entry);
    if (forget !== undefined) for (const { id } of this.#forgettable(kind, forget)) entries.delete(id);
  }

  #put({ row, message, revision }: MessageWrite): void {
    this.#delete(row);
    this.#messages.set(row, { id: message.id, revision, body: JSON.stringify(message), extensions: [] });
    const rows = this.#rowsById.get(message.id) ?? new Set();
    this.#rowsById.set(message.id, rows.add(row));
  }

  #delete(row: number): void {
    const id = this.#messages.get(row)?.id;
    this.#messages.delete(row);
    if (id === undefined) return;
    const rows = this.#rowsById.get(id);
    rows?.delete(row);
    if (rows?.size === 0) this.#rowsById.delete(id);
  }

  #row(row: number): StoredRow {
    const stored = this.#messages.get(row);
    if (stored === undefined) throw new Damage(`row ${row}`, "is missing");
    return stored;
  }

  #clear(): void {
    this.cache.clear();
    this.#messages.clear();
    this.#rowsById.clear();
    this.#parts.clear();
  }

  /** What the record says must be what is there. */
  #check({ hot, parts }: StoredLive): void {
    const held = [hot.head, ...[...parts.snapshots.values()].map(({ rows }) => rows)];
    const rows = new Set(held.flatMap((runs) => runs.rows()));
    const counts = {
      rows: rows.size,
      parts: hot.partCount,
      commits: hot.commits.stored,
      turns: hot.turns.stored,
      generated: hot.generated.stored,
      extensions: [...hot.drafts.values()].reduce((sum, count) => sum + count, 0),
    };
    const there = {
      rows: this.#messages.size,
      parts: this.#parts.size,
      commits: this.#memories.commit.size,
      turns: this.#memories.turn.size,
      generated: this.#memories.generated.size,
      extensions: [...this.#messages.values()].reduce((sum, row) => sum + row.extensions.length, 0),
    };
    const different = Object.entries(counts).filter(([name, count]) => Reflect.get(there, name) !== count);
    if (different.length > 0)
      throw new Error(`${JSON.stringify(counts)} is stored as ${JSON.stringify(there)}`);
  }
}
