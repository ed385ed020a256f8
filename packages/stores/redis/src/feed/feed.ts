import { type Change, Damage, SessionError, stateAt, type WatchTarget } from "@sessions/protocol/backend";
import { Deadline } from "../engine/deadline.js";
import { asSessionError } from "../error-mapping.js";
import type { PartitionKeys } from "../keys/keys.js";
import type { RedisContext } from "../redis-context.js";
import { type FeedPosition, readFeedCursor } from "./feed-cursor.js";
import { type PartitionChanges, PartitionReader, type ReadPosition } from "./partition-reader.js";
import { WakeUps } from "./wake-ups.js";
import { type SessionChange, Watcher } from "./watcher.js";
import { Watchers } from "./watchers.js";

/** How often changes are looked for without a wake-up: those can get lost, and nobody publishes the end of a session. */
const POLL_MS = 1000;
/** Commits wake only partitions that were read in the last ten seconds. Those of watched sessions are read for that alone. */
const POLLS_PER_MARK = 4;

/**
 * Feeds changes to watchers. One reader for all of them looks for changes once a second, and when another store wakes it up. Watchers
 * of the whole store are given what stands behind their position in each partition; watchers of one session what that session is at.
 */
export class Feed {
  readonly #context: RedisContext;
  readonly #watchers = new Watchers();
  /** How far the reader has read, in the partitions that it reads. */
  readonly #read: (ReadPosition | undefined)[] = [];
  readonly #partitionReader: PartitionReader;
  readonly #wakeUps: WakeUps;
  /** What the next round looks at. */
  readonly #partitions = new Set<PartitionKeys>();
  readonly #sessions = new Set<string>();
  #round: Promise<void> | undefined;
  #isPolling = false;
  #polls = 0;
  #cancelPoll: () => void = () => undefined;
  #isClosed = false;

  constructor(context: RedisContext) {
    this.#context = context;
    this.#partitionReader = new PartitionReader(context);
    this.#wakeUps = new WakeUps(context, (message) => this.#wakeUp(message));
  }

  async *watch(target: WatchTarget, signal: AbortSignal): AsyncGenerator<Change> {
    const since = typeof target.since === "string" ? readFeedCursor(target.since) : undefined;
    const watcher = new Watcher(target, signal);
    this.#watchers.add(watcher);
    if (!this.#isPolling) this.#poll();
    try {
      await this.#begin(watcher, since);
      yield* watcher.changes();
    } catch (error) {
      throw asSessionError(error, this.#context.location, target.session);
    } finally {
      this.#watchers.remove(watcher);
      if (this.#watchers.isEmpty) this.#pollLater();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelPoll();
    this.#wakeUps.close();
    await this.#round;
  }

  async #begin(watcher: Watcher, since: FeedPosition | undefined): Promise<void> {
    const { session } = watcher.target;
    if (session !== undefined) return this.#beginSession(watcher, session);
    if (since === undefined) return this.#beginNow(watcher);
    await this.#beginSince(watcher, since);
  }

  async #beginSession(watcher: Watcher, session: string): Promise<void> {
    const { keys } = this.#context;
    const own = keys.partitionOf(session);
    // Read at once: what this store commits after the call is news. Its cursors begin the other partitions anew.
    const [change, { store, position }] = await Promise.all([this.#changeOf(session), this.#markOf(own)]);
    const positions = keys.partitions.map((partition) => (partition === own ? position : 0));
    watcher.beginAt(store, positions);
    const { since } = watcher.target;
    if (typeof since === "number") watcher.knows(session, since);
    else if (change !== undefined) watcher.knows(session, change.revision);
    if (change !== undefined) watcher.beginsWith(change);
    watcher.begun(positions);
  }

  async #beginNow(watcher: Watcher): Promise<void> {
    const { partitions } = this.#context.keys;
    const read = await Promise.all(partitions.map((partition) => this.#partitionReader.position(partition)));
    const positions = read.map(({ position }) => position);
    watcher.beginAt(read[0]?.store ?? "", positions);
    this.#readFrom(read);
    watcher.begun(positions);
  }

  async #beginSince(watcher: Watcher, since: FeedPosition): Promise<void> {
    const { partitions } = this.#context.keys;
    const isOwn = since.positions.length === partitions.length;
    if (!isOwn) watcher.reset();
    const missed = await Promise.all(
      partitions.map((partition) => this.#missed(watcher, partition, isOwn ? since : undefined)),
    );
    const [first] = missed;
    watcher.beginAt(first?.store ?? "", first?.store === since.store && isOwn ? since.positions : []);
    for (const { changes } of missed)
      for (const [change, place] of changes) watcher.offerMissed(change, place);
    const positions = missed.map(({ position }) => position);
    this.#readFrom(missed);
    watcher.begun(positions);
  }

  /** The reader reads on from here where it does not read yet. */
  #readFrom(positions: readonly ReadPosition[]): void {
    for (const [partition, position] of positions.entries()) this.#read[partition] ??= position;
  }

  /** Everything that a watcher has missed in a partition. */
  async #missed(
    watcher: Watcher,
    partition: PartitionKeys,
    since: FeedPosition | undefined,
  ): Promise<PartitionChanges> {
    const from = since?.positions[partition.number] ?? 0;
    const read = await this.#partitionReader.changes(partition, from);
    if (since === undefined) return read;
    const isOther = read.store !== since.store || read.position < from;
    if (isOther || read.removed > from) watcher.reset();
    return isOther ? this.#partitionReader.changes(partition, 0) : read;
  }

  /** A session can be watched, too, where the feed of its partition is damaged. */
  #markOf(partition: PartitionKeys): Promise<ReadPosition> {
    return this.#partitionReader.position(partition).catch((error: unknown) => {
      if (SessionError.is(error, "DATA_LOST")) return { store: "", position: 0 };
      throw error;
    });
  }

  #poll(): void {
    this.#cancelPoll();
    if (this.#isClosed) return;
    this.#isPolling = true;
    void this.#quietly("wake-ups", () => this.#expectWakeUps());
    if (this.#watchers.ofStore.length > 0)
      for (const partition of this.#context.keys.partitions) this.#partitions.add(partition);
    for (const session of this.#watchers.sessions) this.#sessions.add(session);
    this.#roundSoon();
    // The store above keeps the process alive while a caller waits for a change.
    this.#cancelPoll = this.#context.clock.after(POLL_MS, () => this.#poll(), true);
  }

  async #expectWakeUps(): Promise<void> {
    await this.#wakeUps.listen(this.#deadline());
    if (++this.#polls % POLLS_PER_MARK > 0) return;
    const partitions = new Set(this.#watchers.sessions.map((id) => this.#context.keys.partitionOf(id)));
    await Promise.all([...partitions].map((partition) => this.#markOf(partition)));
  }

  /** Nobody watches: the connection is closed soon. */
  #pollLater(): void {
    this.#cancelPoll();
    this.#isPolling = false;
    this.#read.length = 0;
    this.#cancelPoll = this.#context.clock.after(POLL_MS, () => this.#wakeUps.close(), true);
  }

  /** Watchers of a session are told what the message says; for those of the whole store its partition is read. */
  #wakeUp(message: string): void {
    const { keys } = this.#context;
    const [, revision, updated, deleted, record = ""] = /^(\d+) (\d*) (\d*) (.*)$/s.exec(message) ?? [];
    const sessionId = keys.sessionOfRecord(record);
    if (sessionId === undefined) return;
    const isDeleted = deleted !== "";
    const change = {
      sessionId,
      revision: Number(revision),
      at: Number(isDeleted ? deleted : updated),
      isDeleted,
    };
    for (const watcher of this.#watchers.ofSession(sessionId)) watcher.offer(change);
    if (this.#watchers.ofStore.length === 0) return;
    this.#partitions.add(keys.partitionOf(sessionId));
    this.#roundSoon();
  }

  #roundSoon(): void {
    if (this.#isClosed) return;
    this.#round ??= this.#rounds().finally(() => {
      this.#round = undefined;
    });
  }

  async #rounds(): Promise<void> {
    while (!this.#isClosed && this.#partitions.size + this.#sessions.size > 0) await this.#look();
  }

  /** Never fails: what could not be looked at is looked at again with the next poll. */
  async #look(): Promise<void> {
    const [partitions, sessions] = [[...this.#partitions], [...this.#sessions]];
    this.#partitions.clear();
    this.#sessions.clear();
    const { ofStore } = this.#watchers;
    await this.#quietly("feed", async () => {
      const failures: unknown[] = [];
      const looks: Promise<unknown>[] = [];
      const add = (look: Promise<void>): void => {
        looks.push(look.catch((error: unknown) => failures.push(error)));
      };
      if (ofStore.length > 0) for (const partition of partitions) add(this.#readOn(ofStore, partition));
      for (const id of sessions) {
        await this.#context.share.continue(); // there may be a turn for each of a thousand sessions
        add(this.#lookAt(id, this.#watchers.ofSession(id)));
      }
      await Promise.all(looks);
      if (failures.length > 0) throw failures[0];
    });
  }

  async #readOn(watchers: readonly Watcher[], partition: PartitionKeys): Promise<void> {
    const { number } = partition;
    const from = this.#read[number];
    if (from === undefined) return; // its watchers begin in a moment
    try {
      let read = await this.#partitionReader.changes(partition, from.position);
      // The server has lost positions, or all of them: what stands there now may be anything.
      if (read.store !== from.store || read.position < from.position)
        read = await this.#partitionReader.changes(partition, 0);
      for (const [change, place] of read.changes)
        for (const watcher of watchers) watcher.offer(change, place);
      this.#read[number] = read;
    } catch (error) {
      if (!endsWatchers(error)) throw error;
      for (const watcher of watchers) watcher.fail(error);
    }
  }

  /** A watcher of a session ends if that session is lost or damaged: there is nothing that it could go on from. */
  async #lookAt(id: string, watchers: readonly Watcher[]): Promise<void> {
    if (watchers.length === 0) return;
    const seen = watchers.map(({ last }) => last);
    try {
      const change = await this.#changeOf(id);
      for (const [n, watcher] of watchers.entries()) watcher.offerRead(change, seen[n]);
    } catch (error) {
      if (!(error instanceof Damage) && !endsWatchers(error)) throw error;
      for (const watcher of watchers) watcher.fail(error);
    }
  }

  async #changeOf(id: string): Promise<SessionChange | undefined> {
    const { state, now } = await this.#context.sessions.state(id, { background: true }, this.#deadline());
    const current = stateAt(state, now);
    if (current === undefined) return undefined;
    const { revision } = current;
    return current.status === "live"
      ? { sessionId: id, revision, at: current.updatedAt, isDeleted: false }
      : { sessionId: id, revision, at: current.deletedAt, isDeleted: true };
  }

  async #quietly(topic: string, work: () => Promise<void>): Promise<void> {
    const { warnings } = this.#context;
    try {
      await work();
      warnings.clear(topic);
    } catch (error) {
      if (this.#isClosed) return;
      const problem = error instanceof Error ? error.message : String(error);
      warnings.set(topic, `Changes could not be looked for: ${problem}`);
    }
  }

  #deadline(): Deadline {
    return new Deadline(this.#context.clock, this.#context.deadlineMs);
  }
}

/** Of what was lost, nothing can be told any more. Watchers outlive a server that is away for a while. */
function endsWatchers(error: unknown): boolean {
  return SessionError.is(error, "DATA_LOST") || SessionError.is(error, "FORMAT_UNSUPPORTED");
}
