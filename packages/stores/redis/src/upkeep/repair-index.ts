import { randomUUID } from "node:crypto";
import { Damage, SessionError } from "@sessions/protocol/backend";
import { indexEntryText, labelSets, readIndexEntry } from "../commit/index-changes.js";
import { Deadline } from "../engine/deadline.js";
import { listOf, numberOf, textOf } from "../engine/reply.js";
import { CREATE, RECOUNT, REPAIR } from "../engine/scripts.js";
import { isWrongType } from "../engine/wrong-type.js";
import { FIELDS, LIMITS } from "../keys/fields.js";
import { FORMAT_VERSION } from "../keys/format-version.js";
import { type PartitionKeys, suffixOf } from "../keys/keys.js";
import type { RedisContext } from "../redis-context.js";
import { loadEntry } from "../session/session-entry.js";
import { foreignKeys, type IndexProblem, indexKeys, indexProblems, isPosition } from "./check-index.js";
import { type StoredNames, storedNames } from "./stored-names.js";

const SETS_PER_CALL = 500;
/** A session that is written to all the time is right by then: every commit enters it. */
const MAX_ATTEMPTS = 10;

/** What was found and done. */
export interface RepairedIndex {
  /** What was wrong before. */
  readonly problems: readonly IndexProblem[];
  /** How many sessions there are. */
  readonly sessions: number;
  /** How many of them were entered anew. */
  readonly entered: number;
  /** Sessions that are damaged themselves. They are left as they are. */
  readonly damaged: readonly string[];
  /** Sessions of which nothing is left. They were taken out of the index: a backup of them can be imported. */
  readonly lost: readonly string[];
  /** Keys of another program that were in the way, by the names that they have now. */
  readonly setAside: readonly string[];
}

/**
 * Builds the index anew from the sessions that there are, wherever it is wrong. It may run while the store is used: each session is
 * entered by one script, as it is then.
 */
export async function repaired(context: RedisContext): Promise<RepairedIndex> {
  const problems = await indexProblems(context);
  return new IndexRepair(context, problems).run();
}

class IndexRepair {
  readonly #context: RedisContext;
  readonly #problems: readonly IndexProblem[];
  readonly #damaged = new Set<string>();
  readonly #lost: string[] = [];
  readonly #setAside: string[] = [];
  #sessions = 0;
  #entered = 0;

  constructor(context: RedisContext, problems: readonly IndexProblem[]) {
    this.#context = context;
    this.#problems = problems;
  }

  async run(): Promise<RepairedIndex> {
    const deadline = this.#deadline();
    const all = await storedNames(this.#context, deadline);
    await Promise.all(all.map((names) => this.#clearWay(names)));
    await this.#restoreHeads(all.map(({ partition }) => partition));
    await Promise.all(all.map((names) => this.#enterAll(names)));
    return {
      problems: this.#problems,
      sessions: this.#sessions,
      entered: this.#entered,
      damaged: [...this.#damaged],
      lost: this.#lost,
      setAside: this.#setAside,
    };
  }

  /** Other programs' values are moved to names that nobody uses. */
  async #clearWay(names: StoredNames): Promise<void> {
    const { server } = this.#context;
    const deadline = this.#deadline();
    for (const key of await foreignKeys(this.#context, names, deadline)) {
      const { tag } = names.partition;
      const aside = `${tag}:foreign:${suffixOf(names.partition, key)}:${randomUUID()}`;
      await server.query(deadline, (client) => client.rename(key, aside));
      this.#setAside.push(aside);
    }
  }

  async #restoreHeads(partitions: readonly PartitionKeys[]): Promise<void> {
    const { server, keys } = this.#context;
    const deadline = this.#deadline();
    const heads = await Promise.all(
      partitions.map(({ head }) =>
        server.query(deadline, (client) => client.hmget(head, FIELDS.STORE, FIELDS.POSITION)),
      ),
    );
    const stored = heads.map(([id]) => id);
    const inFormat = await server.query(deadline, (client) => client.hget(keys.format, "store"));
    const store = inFormat ?? stored.find((id) => id != null) ?? randomUUID();
    for (const [n, partition] of partitions.entries())
      if (stored[n] == null || !isPosition(heads[n]?.[1]))
        await this.#restoreHead(partition, store, deadline);
    const fields = { format: FORMAT_VERSION, partitions: partitions.length, store };
    if (inFormat == null) await server.query(deadline, (client) => client.hset(keys.format, fields));
  }

  /** Behind all positions that it may have given out: whoever has a cursor has to begin anew. */
  async #restoreHead({ head, feed }: PartitionKeys, store: string, deadline: Deadline): Promise<void> {
    const { server, keys } = this.#context;
    const replica = await server.replicationId(head, deadline);
    await server.runRetryable(CREATE, [head], [keys.partitions.length, store, replica], deadline);
    const [, last] = await server.query(deadline, (client) => client.zrevrange(feed, 0, 0, "WITHSCORES"));
    const position = (numberOf(last) ?? 0) + LIMITS.POSITION_JUMP;
    const fields = { [FIELDS.POSITION]: position, [FIELDS.REMOVED]: position };
    await server.query(deadline, (client) => client.hset(head, fields));
  }

  async #enterAll(names: StoredNames): Promise<void> {
    const touched = new Set<string>();
    for (const id of names.ids) for (const set of await this.#enter(names, id)) touched.add(set);
    await this.#recount(names, touched);
  }

  /** Enters a session as it should be. Gives the sets of labels and of a parent that it is in, or was. */
  async #enter({ partition, sets: seen }: StoredNames, id: string): Promise<readonly string[]> {
    const { server, keys } = this.#context;
    const { head, feed, tombstones, recent, created, ids, ends, entries } = partition;
    const { record, session, member } = keys.session(id);
    const wrong = [...seen].filter(([, members]) => members.has(id)).map(([key]) => key);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const deadline = this.#deadline();
      const { version, revision, entry } = await this.#read(id, deadline);
      const sets = labelSets(partition, readIndexEntry(entry, entries));
      const own = [head, record, session, feed, tombstones, recent, created, ids, ends, entries, ...sets];
      const others = wrong.filter((key) => !sets.includes(key));
      const replica = await server.replicationId(head, deadline);
      const args = [member, version, revision, entry, sets.length, replica];
      const reply = listOf(await server.runRetryable(REPAIR, [...own, ...others], args, deadline));
      const [status, kind, changed] = reply.map(textOf);
      if (status !== "ok") continue;
      this.#note(id, kind, Number(changed) > 0);
      return [...sets, ...others];
    }
    return [];
  }

  #note(id: string, kind: string | undefined, isChanged: boolean): void {
    if (kind === "live" || kind === "contentless") this.#sessions++;
    if (kind === "unreadable" || kind === "contentless") this.#damaged.add(id);
    if (kind === "nothing") {
      if (isChanged) this.#lost.push(id);
    } else if (isChanged) this.#entered++;
  }

  /** The entry that the session itself asks for, where that can be read, and otherwise the one that the index has. */
  async #read(
    id: string,
    deadline: Deadline,
  ): Promise<{ readonly version: string; readonly revision: string; readonly entry: string }> {
    const { server, keys, sessions } = this.#context;
    const { partition, record, member } = keys.session(id);
    const fields = [FIELDS.VERSION, FIELDS.REVISION] as const;
    const [version, revision] = await server
      .query(deadline, (client) => client.hmget(record, ...fields))
      .catch((error: unknown) => {
        if (isWrongType(error)) return [];
        throw error;
      });
    const indexed = await server.query(deadline, (client) => client.hget(partition.entries, member));
    const read = { version: version ?? "", revision: revision ?? "", entry: indexed ?? "" };
    try {
      const { entry, rows } = await sessions.loadUncached(id, "few", deadline);
      const state = loadEntry(entry, rows)?.state;
      return state?.status === "live" ? { ...read, entry: indexEntryText(state) } : read;
    } catch (error) {
      if (!(error instanceof Damage || SessionError.is(error, "SESSION_CORRUPTED"))) throw error;
      if (read.revision !== "") this.#damaged.add(id);
      return read;
    }
  }

  async #recount(names: StoredNames, touched: ReadonlySet<string>): Promise<void> {
    const { server } = this.#context;
    const deadline = this.#deadline();
    const keys = [...new Set([...(await indexKeys(this.#context, names, deadline)), ...touched])];
    for (let from = 0; from < keys.length; from += SETS_PER_CALL)
      await server.runRetryable(
        RECOUNT,
        [names.partition.head, ...keys.slice(from, from + SETS_PER_CALL)],
        [],
        deadline,
      );
  }

  #deadline(): Deadline {
    return new Deadline(this.#context.clock, this.#context.deadlineMs);
  }
}
