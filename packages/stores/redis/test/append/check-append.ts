import {
  applyCommit,
  type CommitRequest,
  documentOf,
  type LiveState,
  SERVER_DOMAIN,
  type SessionState,
} from "@sessions/protocol/backend";
import type { Redis } from "ioredis";
import { appendedSets } from "../../src/commit/index-changes.js";
import { addPlainRequests, readAppendReply } from "../../src/commit/plain-append.js";
import { DEFAULT_PARTITIONS } from "../../src/engine/partitions.js";
import type { Script } from "../../src/engine/script.js";
import type { Argument } from "../../src/engine/server.js";
import { Keys, type SessionKeys } from "../../src/keys/keys.js";
import { openRedisBackend } from "../../src/open-redis-store.js";
import type { AppendCase } from "./append-case.js";

const EXPIRED_MS = 5;

export interface Ground {
  readonly client: Redis;
  readonly url: string;
  readonly prefix: string;
  readonly replicationId: string;
}

/** A reason why a script does not do what `applyCommit` says. */
export class Deviation extends Error {}

/** Runs a version of append.lua on one case, and compares with `applyCommit` all that it answers and all that is stored. */
export async function checkAppend(ground: Ground, script: Script, one: AppendCase): Promise<void> {
  await new AppendCheck(ground, script, one).run();
}

class AppendCheck {
  readonly #ground: Ground;
  readonly #script: Script;
  readonly #case: AppendCase;
  readonly #keys: Keys;
  readonly #session: SessionKeys;

  constructor(ground: Ground, script: Script, one: AppendCase) {
    this.#ground = ground;
    this.#script = script;
    this.#case = one;
    this.#keys = new Keys(ground.prefix, DEFAULT_PARTITIONS);
    this.#session = this.#keys.session(one.sessionId);
  }

  async run(): Promise<void> {
    const before = await this.#setUp();
    const sets = appendedSets(this.#session.partition, {
      labels: before.labels,
      parent: before.parent,
      renewOnUse: before.renewOnUse,
    });
    const { client } = this.#ground;
    const index = (await client.hget(this.#session.record, "index")) ?? "";
    const known = await this.#putInTheWay(before, index);
    const stored = await this.#everything();
    const reply = await this.#call(sets, known.index, known.reached);
    await this.#removeFromTheWay();
    if (typeof reply !== "string") {
      equal(await this.#everything(), stored, "what is stored after a refusal");
      if (this.#case.obstacle === undefined) this.#mayStop(before, this.#case.batch, 0);
      return;
    }
    if (this.#case.obstacle !== undefined) throw new Deviation(`it appended although ${this.#case.obstacle}`);
    const position = Number(stored.get("position"));
    await this.#compare(before, reply, position);
  }

  /** Makes the session, and the same state by `applyCommit`. */
  async #setUp(): Promise<LiveState> {
    const { url, prefix } = this.#ground;
    const backend = await openRedisBackend({ url }, { prefix });
    try {
      let state: SessionState | undefined;
      for (const request of this.#case.setup) {
        const [outcome] = await backend.commit([request]);
        if (outcome === undefined) throw new Error("no outcome");
        // A message that is there already with another content.
        if (outcome.status !== "rejected") state = applied(state, request, outcome.at).state;
      }
      if (state?.status !== "live") throw new Error("the session was not made");
      return state;
    } finally {
      await backend.close();
    }
  }

  async #putInTheWay(
    { revision }: LiveState,
    index: string,
  ): Promise<{ readonly index: string; readonly reached: number }> {
    const { client } = this.#ground;
    const { record, session, partition } = this.#session;
    const known = { index, reached: revision };
    switch (this.#case.obstacle) {
      case "another instance holds the session":
        await client.hset(record, "hold", `${Date.now() + 4_000} other`);
        return known;
      case "the labels are others than the caller knows":
        return { ...known, index: "another version" };
      case "the server is behind what the caller was acknowledged":
        return { ...known, reached: revision + 1 };
      case "the format is newer":
        await client.hset(partition.head, "format", 99);
        return known;
      case "a field of the record is missing":
        await client.hdel(record, `C${this.#case.setup[0]?.id ?? ""}`);
        return known;
      case "the session has been deleted":
        await client.unlink(session);
        await client.hset(record, "deleted", Date.now());
        await client.hincrby(record, "fields", 1);
        return known;
      case "the session has expired": {
        const hasEnd = (await client.hexists(record, "expires")) === 1;
        await client.hset(record, "expires", Date.now() - EXPIRED_MS);
        if (!hasEnd) await client.hincrby(record, "fields", 1);
        return known;
      }
      default:
        return known;
    }
  }

  async #removeFromTheWay(): Promise<void> {
    const { head } = this.#session.partition;
    if (this.#case.obstacle === "the format is newer") await this.#ground.client.hset(head, "format", 2);
  }

  #call(sets: readonly string[], index: string, reached: number): Promise<unknown> {
    const { client, replicationId } = this.#ground;
    const { record, session, partition, member } = this.#session;
    const keys = [record, session, partition.head, partition.feed, partition.recent, ...sets];
    const args: Argument[] = [this.#keys.channel, replicationId, member, index, "caller", reached];
    addPlainRequests(this.#case.batch, args);
    return client.eval(this.#script.lua, keys.length, ...keys, ...args);
  }

  /** A refusal is right where `applyCommit` would not simply add the messages. */
  #mayStop(state: SessionState, rest: readonly CommitRequest[], at: number): void {
    const [next] = rest;
    if (next === undefined) return;
    const { outcome } = applied(state, next, at === 0 ? Date.now() : at);
    if (outcome.status === "applied" && outcome.skipped === undefined && !repeatsAMessage(next))
      throw new Deviation(`it stopped before "${next.id}", which only adds messages`);
  }

  async #compare(before: LiveState, text: string, position: number): Promise<void> {
    const reply = readAppendReply(text);
    const { batch } = this.#case;
    let state: SessionState = before;
    for (const [n, request] of batch.slice(0, reply.applied).entries()) {
      const result = applied(state, request, reply.at);
      equal(result.outcome.status, "applied", `the outcome of "${request.id}"`);
      if (result.outcome.status === "applied")
        equal(result.outcome.revision, before.revision + n + 1, "the revision");
      if (result.state !== undefined) state = result.state;
    }
    equal(reply.revision, state.revision, "the revision of the reply");
    equal(reply.row, before.history.messages.length, "the row of the reply");
    this.#mayStop(state, batch.slice(reply.applied), reply.at);
    if (state.status === "live") await this.#compareStored(state, position);
    await this.#compareRepeated(state, batch.slice(0, reply.applied), reply.at);
  }

  async #compareStored(state: LiveState, position: number): Promise<void> {
    const { url, prefix, client } = this.#ground;
    const { sessionId } = this.#case;
    const backend = await openRedisBackend({ url }, { prefix });
    try {
      equal(await backend.document(sessionId), documentOf(state), "the session");
      equal((await backend.verify(sessionId))?.ok, true, "what a check finds");
    } finally {
      await backend.close();
    }
    const { partition, member, record, session } = this.#session;
    const sets = appendedSets(partition, {
      labels: state.labels,
      parent: state.parent,
      renewOnUse: undefined,
    });
    for (const key of [partition.recent, ...sets])
      equal(Number(await client.zscore(key, member)), state.updatedAt, `the score in ${key}`);
    const end = await client.zscore(partition.ends, member);
    equal(end === null ? undefined : Number(end), state.expiresAt, "the end in the index");
    equal(await client.hget(partition.head, "position"), `${position + 1}`, "the position");
    equal(Number(await client.zscore(partition.feed, member)), position + 1, "the position in the feed");
    const expiry = state.expiresAt === undefined ? -1 : state.expiresAt - 1;
    equal(await client.pexpiretime(session), expiry, "when the server removes the session");
    const recordEnd = expiry < 0 ? -1 : expiry + 7 * 24 * 3_600_000;
    equal(await client.pexpiretime(record), recordEnd, "when the server removes the record");
  }

  /** What is remembered is what `applyCommit` remembers. */
  async #compareRepeated(state: SessionState, done: readonly CommitRequest[], at: number): Promise<void> {
    const { url, prefix } = this.#ground;
    const backend = await openRedisBackend({ url }, { prefix });
    try {
      for (const request of done) {
        const [outcome] = await backend.commit([{ ...request, ageMs: 1 }]);
        equal(
          outcome,
          applied(state, request, at).outcome,
          `what "${request.id}" comes to when it is repeated`,
        );
      }
    } finally {
      await backend.close();
    }
  }

  async #everything(): Promise<ReadonlyMap<string, unknown>> {
    const { client } = this.#ground;
    const { record, session, partition, member } = this.#session;
    const { head, feed, recent, ends } = partition;
    const { format: _, ...fields } = await client.hgetall(head);
    return new Map<string, unknown>([
      ["record", await client.hgetall(record)],
      ["session", await client.hgetall(session)],
      ["head", fields],
      ["position", fields["position"]],
      ["scores", await Promise.all([feed, recent, ends].map((key) => client.zscore(key, member)))],
      ["ends", await Promise.all([record, session].map((key) => client.pexpiretime(key)))],
    ]);
  }
}

/** The same message id twice in one request: append.lua leaves that to the general way. */
function repeatsAMessage({ ops }: CommitRequest): boolean {
  const ids = ops.flatMap((op) => (op.op === "append" ? op.messages.map(({ id }) => id) : []));
  return new Set(ids).size < ids.length;
}

function applied(state: SessionState | undefined, request: CommitRequest, at: number) {
  return applyCommit(state, { ...request, at, leaseTime: { domain: SERVER_DOMAIN, now: at } });
}

function equal(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [textOf(actual), textOf(expected)];
  if (a !== b) throw new Deviation(`${what} is ${a} instead of ${b}`);
}

function textOf(value: unknown): string {
  return JSON.stringify(sorted(value instanceof Map ? [...value] : value)) ?? "undefined";
}

/** The order of fields of a session does not count. That of a message does, and is part of its text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null || "role" in value) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
