import {
  type Change,
  Damage,
  SessionError,
  type SessionState,
  stateAt,
  type WatchTarget,
} from "@sessions/protocol/backend";
import type { Cluster, Redis } from "ioredis";
import { noteDamagedIndex } from "./damaged-index.js";
import { Deadline } from "./deadline.js";
import { asSessionError } from "./error-mapping.js";
import { changeCursor, readChangeCursor } from "./feed-cursor.js";
import type { ShardKeys } from "./keys.js";
import { idOf } from "./place.js";
import type { RedisContext } from "./redis-context.js";
import { numberOf } from "./reply.js";
import type { Server } from "./server.js";
import { placesIn } from "./shard-places.js";
import { Watcher } from "./watcher.js";
import { isWrongType } from "./wrong-type.js";

/** How often watchers look by themselves: published changes can get lost, and nobody publishes the end of a session. */
const LOOK_EVERY_MS = 1000;

/** How far the clocks of a Cluster's nodes may be apart, in milliseconds. */
const CLOCKS_APART_MS = 5000;

/** Tells watchers of changes: as they are published, and by looking what was missed. */
export class Feed {
  readonly #context: RedisContext;
  readonly #watchers = new Set<Watcher>();
  readonly #timers = new Map<Watcher, () => void>();
  #subscriber: Promise<Redis | Cluster> | undefined;
  #stopLooking: () => void = () => undefined;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  async *watch(target: WatchTarget, signal: AbortSignal): AsyncGenerator<Change> {
    const watcher = new Watcher(target, signal);
    const since = typeof target.since === "string" ? readChangeCursor(target.since) : undefined;
    this.#watchers.add(watcher);
    try {
      await this.#subscribed();
      await this.#begin(watcher, since);
      yield* watcher.changes();
    } catch (error) {
      throw asSessionError(error, this.#context.location, target.session);
    } finally {
      this.#leave(watcher);
    }
  }

  async close(): Promise<void> {
    this.#stopLooking();
    const subscriber = await this.#subscriber?.catch(() => undefined); // it never came: there is nothing to close
    subscriber?.disconnect();
  }

  /** What a watcher knows at the beginning, and what it has missed. */
  async #begin(watcher: Watcher, since: number | undefined): Promise<void> {
    const { session, since: revision } = watcher.target;
    if (session !== undefined && revision === undefined) {
      const change = await this.#changeOf(session);
      if (change !== undefined) watcher.knows(session, change.revision);
    } else if (session !== undefined && typeof revision === "number") watcher.knows(session, revision);
    else watcher.knownUntil = since ?? (await this.#now());
    watcher.hasBegun = true;
    await this.#catchUp(watcher);
  }

  #leave(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    this.#timers.get(watcher)?.();
    this.#timers.delete(watcher);
  }

  #subscribed(): Promise<Redis | Cluster> {
    this.#subscriber ??= this.#subscribe().catch((error: unknown) => {
      this.#subscriber = undefined;
      throw error;
    });
    return this.#subscriber;
  }

  async #subscribe(): Promise<Redis | Cluster> {
    const server = this.#context.openServer();
    server.client.on("message", (_channel: string, message: string) => this.#hear(message));
    server.begin();
    await this.#listenOn(server);
    server.client.on("ready", () => void this.#listenAgainOn(server));
    this.#lookSoon();
    return server.client;
  }

  async #listenOn(server: Server): Promise<void> {
    await server.query(this.#deadline(), (client) => client.subscribe(this.#context.keys.channel));
  }

  /** On a new connection. What was published meanwhile has to be looked for. */
  async #listenAgainOn(server: Server): Promise<void> {
    await this.#quietly(() => this.#listenOn(server));
    this.#look();
  }

  /** `<revision> <time> <ended> <expiry> <the session's key>`. Whoever opens a store tries whether it may publish, with nothing. */
  #hear(message: string): void {
    const [revision = "", at = "", ended, expiry = "-"] = message.split(" ", 4);
    const sessionId = this.#context.keys.sessionOf(message.split(" ").slice(4).join(" "));
    if (sessionId === undefined) return;
    const change = changeAt(sessionId, Number(revision), Number(at), ended === "1");
    for (const watcher of this.#watchers) {
      watcher.offer(change);
      if (expiry !== "-" && watcher.target.session === sessionId)
        this.#expectEnd(watcher, Number(expiry) - Number(at));
    }
  }

  #expectEnd(watcher: Watcher, inMs: number): void {
    this.#timers.get(watcher)?.();
    const cancel = this.#context.clock.after(
      Math.max(1, inMs + 1),
      () => void this.#catchUpQuietly(watcher),
      true,
    );
    this.#timers.set(watcher, cancel);
  }

  #lookSoon(): void {
    this.#stopLooking = this.#context.clock.after(
      LOOK_EVERY_MS,
      () => {
        this.#look();
        this.#lookSoon();
      },
      true,
    );
  }

  #look(): void {
    for (const watcher of this.#watchers) if (watcher.hasBegun) void this.#catchUpQuietly(watcher);
  }

  #catchUpQuietly(watcher: Watcher): Promise<void> {
    return this.#quietly(() => this.#catchUp(watcher));
  }

  async #quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#context.notes.drop("feed");
    } catch (error) {
      // Looked for again soon: a watcher outlives a server that is away for a while.
      const problem = error instanceof Error ? error.message : String(error);
      this.#context.notes.take("feed", `Changes could not be looked for: ${problem}`);
    }
  }

  /** A watcher of one session ends if what it watches is lost or damaged: there is nothing that it could go on from. */
  async #catchUp(watcher: Watcher): Promise<void> {
    const { session } = watcher.target;
    if (session === undefined) return this.#catchUpAll(watcher);
    try {
      await this.#catchUpOne(watcher, session);
    } catch (error) {
      if (!isOfOneSession(error)) throw error;
      watcher.fail(error);
    }
  }

  async #catchUpOne(watcher: Watcher, session: string): Promise<void> {
    const change = await this.#changeOf(session, (expiresInMs) => this.#expectEnd(watcher, expiresInMs));
    if (change !== undefined) watcher.offer(change);
  }

  async #catchUpAll(watcher: Watcher): Promise<void> {
    const until = await this.#now();
    const slack = this.#context.server.client.isCluster ? CLOCKS_APART_MS : 0;
    const since = watcher.knownUntil - slack;
    const ids = await this.#changedSince(since, until + slack);
    for (const id of ids) {
      if (watcher.signal.aborted) return;
      const change = await this.#changeOf(id).catch((error: unknown) => this.#leftOut(watcher, id, error));
      if (change !== undefined && change.at >= since) watcher.offer(change);
    }
    watcher.knownUntil = Math.max(watcher.knownUntil, until);
  }

  /** One session that is lost or damaged does not keep the watcher from the others. */
  #leftOut(watcher: Watcher, id: string, error: unknown): undefined {
    if (!isOfOneSession(error)) throw error;
    // If the session was lost, its next revision may be one that it has had before.
    watcher.forget(id);
    const { notes } = this.#context;
    notes.take(`damage of ${id}`, `Session "${id}" cannot be read and is not watched: ${error.message}`);
    return undefined;
  }

  /** Sessions that may have changed or ended. */
  async #changedSince(since: number, until: number): Promise<ReadonlySet<string>> {
    const { keys } = this.#context;
    const found = await Promise.all(keys.shards().map((shard) => this.#changedIn(shard, since, until)));
    return new Set(found.flat().map(idOf));
  }

  async #changedIn(shard: ShardKeys, since: number, until: number): Promise<readonly string[]> {
    const { server, notes } = this.#context;
    const deadline = this.#deadline();
    try {
      const found = await Promise.all([
        server.query(deadline, (client) => client.zrangebyscore(shard.recent, since, "+inf")),
        server.query(deadline, (client) => client.zrangebyscore(shard.ended, since, until)),
      ]);
      return found.flat();
    } catch (error) {
      if (!isWrongType(error)) throw error;
      noteDamagedIndex(notes, shard);
      return placesIn(server, shard, deadline);
    }
  }

  async #changeOf(
    id: string,
    onExpiry: (inMs: number) => void = () => undefined,
  ): Promise<Change | undefined> {
    return this.#context.sessions.look(id, { background: true }, this.#deadline(), ({ state, now }) => {
      const current = stateAt(state, now);
      if (current === undefined) return undefined;
      if (current.status === "live" && current.expiresAt !== undefined) onExpiry(current.expiresAt - now);
      return changeTo(id, current);
    });
  }

  async #now(): Promise<number> {
    const [seconds, microseconds] = await this.#context.server.query(this.#deadline(), (client) =>
      client.time(),
    );
    return (numberOf(seconds) ?? 0) * 1000 + Math.floor((numberOf(microseconds) ?? 0) / 1000);
  }

  #deadline(): Deadline {
    return new Deadline(this.#context.clock, this.#context.deadlineMs);
  }
}

function isOfOneSession(error: unknown): error is Error {
  return error instanceof Damage || SessionError.is(error, "DATA_LOST");
}

function changeTo(id: string, state: SessionState): Change {
  return state.status === "live"
    ? changeAt(id, state.revision, state.updatedAt, false)
    : changeAt(id, state.revision, state.deletedAt, true);
}

function changeAt(sessionId: string, revision: number, at: number, isDeleted: boolean): Change {
  return { sessionId, revision, at, ...(isDeleted ? { deleted: true } : {}), cursor: changeCursor(at) };
}
