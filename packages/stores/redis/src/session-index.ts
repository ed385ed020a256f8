import type { Deadline } from "./deadline.js";
import { isForbidden, newerFormat } from "./error-mapping.js";
import { FORMAT_VERSION } from "./format-version.js";
import type { Keys, ShardKeys } from "./keys.js";
import type { Notes } from "./notes.js";
import { placeOf } from "./place.js";
import { listOf, textOf } from "./reply.js";
import { ENTER, LEAVE, type Script } from "./scripts.js";
import type { Server, Text } from "./server.js";
import { damagedIndex, isWrongType } from "./wrong-type.js";

/** For so long ahead the index is told of changes, so that most commits need not tell it. */
export const LEASE_MS = 60_000;

/** A session must be written so soon after the index was told of it. */
export const ENTRY_COUNTS_MS = 30_000;

/** What the index says is taken back only if it is older than this: far more than any writer takes. */
export const GRACE_MS = 300_000;

/** What the index is told of a session. */
export interface Entry {
  /** An upper bound of its last change. */
  readonly bound: number;
  /** Always, unless it ends: who was refused as a creator may have told the index of another time. */
  readonly createdAt?: number | undefined;
  readonly endsAt?: number | undefined;
  readonly isNew: boolean;
  /** Those that it has and those that it will have. */
  readonly labels: readonly (readonly [string, string])[];
  readonly parent?: string | undefined;
}

/** What the index says then. */
export interface Entered {
  /** When it was told, by its server's clock. */
  readonly at: number;
  readonly bound: number;
  readonly text: string;
}

interface IndexContext {
  readonly server: Server;
  readonly keys: Keys;
  readonly notes: Notes;
  readonly nonce: () => string;
}

/** Which sessions there are. It is told before a session is written, so it may name too many, never too few. */
export class SessionIndex {
  readonly #context: IndexContext;
  readonly #following = new Set<Promise<void>>();

  constructor(context: IndexContext) {
    this.#context = context;
  }

  async enter(id: string, entry: Entry, deadline: Deadline): Promise<Entered> {
    const { keys, nonce } = this.#context;
    const { format, entries, recent, created, named, ended, told, ...shard } = keys.shardOf(id);
    const sets = setsOf(shard, entry);
    const { bound, createdAt = "", endsAt = "", isNew } = entry;
    const names = [format, entries, recent, created, named, ended, told, ...sets];
    const reply = await this.#ask(
      ENTER,
      names,
      [FORMAT_VERSION, placeOf(id), bound, createdAt, endsAt, isNew ? "1" : "", GRACE_MS, nonce(), ...sets],
      deadline,
    );
    const [status, time, inForce, text] = listOf(reply);
    if (status === "newer") throw newerFormat(Number(time));
    return { at: Number(time), bound: Number(inForce), text: textOf(text) ?? "" };
  }

  /**
   * The commit has followed what the index was told. Nobody waits for this: until it is known, lists only take longer. If the index was
   * told more since, that is still to follow; and whatever was told before counts no more than this.
   */
  followed(id: string, { text }: Entered, deadline: Deadline): void {
    const { keys, notes } = this.#context;
    const following = this.leaveSet(id, text, keys.shardOf(id).told, 0, deadline)
      .catch((error: unknown) => notes.take("told", `Lists take longer than they need to: ${String(error)}`))
      .finally(() => this.#following.delete(following));
    this.#following.add(following);
  }

  /** Resolves when nothing is left to be said. */
  async close(): Promise<void> {
    await Promise.all(this.#following);
  }

  /** Takes a session that does not exist out of the index, unless somebody is about to create it. */
  async leave(id: string, entry: string, deadline: Deadline): Promise<void> {
    const { keys } = this.#context;
    const shard = keys.shardOf(id);
    const sets = [shard.recent, shard.created, shard.named, shard.told, ...entry.split("\n").slice(1)];
    await this.#ask(LEAVE, [shard.entries, ...sets], [placeOf(id), entry, GRACE_MS, "", "1"], deadline);
  }

  /** Sets the bound of its last change to what it is, unless the index has been told something since: then `false`. */
  async correct(
    id: string,
    entry: string,
    bound: number,
    minAgeMs: number,
    deadline: Deadline,
  ): Promise<boolean> {
    const sets = [this.#context.keys.shardOf(id).recent, ...entry.split("\n").slice(1)];
    return this.#set(id, entry, sets, bound, minAgeMs, deadline);
  }

  /** The same for the time of its creation. */
  async correctCreation(
    id: string,
    entry: string,
    createdAt: number,
    minAgeMs: number,
    deadline: Deadline,
  ): Promise<boolean> {
    return this.#set(id, entry, [this.#context.keys.shardOf(id).created], createdAt, minAgeMs, deadline);
  }

  async #set(
    id: string,
    entry: string,
    sets: readonly string[],
    score: number,
    minAgeMs: number,
    deadline: Deadline,
  ): Promise<boolean> {
    const { keys } = this.#context;
    const args = [placeOf(id), entry, minAgeMs, score, ""];
    const [status] = listOf(await this.#ask(LEAVE, [keys.shardOf(id).entries, ...sets], args, deadline));
    return status === "ok";
  }

  /** Takes a session out of one set that it is in no longer, unless the index has been told something since. */
  async leaveSet(
    id: string,
    entry: string,
    set: string,
    minAgeMs: number,
    deadline: Deadline,
  ): Promise<void> {
    const { keys } = this.#context;
    const shard = keys.shardOf(id);
    await this.#ask(LEAVE, [shard.entries, set], [placeOf(id), entry, minAgeMs, "", ""], deadline);
  }

  async #ask(
    script: Script,
    keys: readonly string[],
    args: readonly Text[],
    deadline: Deadline,
  ): Promise<unknown> {
    const { server } = this.#context;
    try {
      return await server.ask(script, keys, args, deadline);
    } catch (error) {
      throw isWrongType(error) ? damagedIndex(await this.#foreignAmong(keys, deadline)) : error;
    }
  }

  /** Those of the keys that the store did not write; all of them, if its user may not ask for their types. */
  async #foreignAmong(keys: readonly string[], deadline: Deadline): Promise<readonly string[]> {
    const { server } = this.#context;
    try {
      const typeOfKey = (key: string): Promise<string> =>
        server.query(deadline, (client) => client.type(key));
      const types = await Promise.all(keys.map(typeOfKey));
      return keys.filter((key, index) => !["none", typeOf(key)].includes(types[index] ?? ""));
    } catch (error) {
      if (error instanceof Error && isForbidden(error.message)) return keys;
      throw error;
    }
  }

  /** What the index has been told of sessions, as it is kept. */
  async entries(ids: readonly string[], deadline: Deadline): Promise<readonly (string | undefined)[]> {
    const { server, keys } = this.#context;
    return Promise.all(
      ids.map(async (id) =>
        textOf(await server.query(deadline, (client) => client.hget(keys.shardOf(id).entries, placeOf(id)))),
      ),
    );
  }
}

function typeOf(key: string): string {
  if (key.endsWith(":format")) return "string";
  return key.endsWith(":entries") ? "hash" : "zset";
}

function setsOf(shard: Pick<ShardKeys, "labelled" | "forked">, { labels, parent }: Entry): readonly string[] {
  const sets = labels.map(([name, value]) => shard.labelled(name, value));
  return [...new Set(parent === undefined ? sets : [...sets, shard.forked(parent)])];
}
