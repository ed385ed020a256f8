import type { Change, WatchTarget } from "@sessions/protocol";
import { folderName } from "../session/names/folder-name.js";
import type { Doorbell } from "./change-notifier.js";
import { DeliveredSessions } from "./delivered-sessions.js";
import { Expiries } from "./expiries.js";
import { cursorOf, readCursor } from "./feed-cursor.js";
import { changeOf, FeedPosition } from "./feed-position.js";
import { isSameSighting, type Sighting } from "./observed-session.js";
import type { NetInterval } from "./poll-interval.js";
import { Rung } from "./wake-signal.js";

/** Where changes come from. */
export interface ChangeSource {
  readonly doorbell: Pick<Doorbell, "listen" | "listeners">;
  /** The sessions in these folders as they are now; "all": every session that the watcher may be told of. */
  readonly look: (folders: ReadonlySet<string> | "all") => AsyncIterable<Sighting>;
  readonly now: () => number;
  readonly netIntervalMs: NetInterval;
}

/**
 * Changes of one session or of all, whoever makes them. A ring says where to look; what no ring told of is found by
 * looking at everything now and then.
 */
export async function* watchChanges(
  target: WatchTarget,
  signal: AbortSignal,
  source: ChangeSource,
): AsyncGenerator<Change> {
  const watcher = new Watcher(target, source);
  // Listens before it looks for the first time, so that nothing falls in between.
  const stop = watcher.listen();
  try {
    let seen = await watcher.first(signal);
    while (!signal.aborted) {
      for (const change of watcher.tell(seen)) {
        yield change;
        if (signal.aborted) return;
      }
      seen = await watcher.next(signal);
    }
  } finally {
    stop();
  }
}

/** A watcher of one session has not seen the others: its cursor repeats them all. */
const KNOWS_NO_OTHERS = cursorOf(new DeliveredSessions());

/** What one watcher has seen, and what it was told of that. */
class Watcher {
  readonly #target: WatchTarget;
  readonly #source: ChangeSource;
  readonly #rung = new Rung();
  readonly #expiries = new Expiries();
  /** The sessions as they were last seen. */
  #known = new Map<string, Sighting>();
  readonly #position = new FeedPosition();
  /** When to look at everything, whether or not something was rung; by the monotonic clock. */
  #netAt = 0;
  #lastTookMs = 0;

  constructor(target: WatchTarget, source: ChangeSource) {
    this.#target = target;
    this.#source = source;
  }

  listen(): () => void {
    const { session } = this.#target;
    if (session === undefined) return this.#source.doorbell.listen((folders) => this.#rung.add(folders));
    const own = folderName(session);
    return this.#source.doorbell.listen((folders) => {
      if (folders === "all" || folders.has(own)) this.#rung.add("all");
    });
  }

  /** What the watcher has missed, if it says what it knows. */
  async first(signal: AbortSignal): Promise<readonly Sighting[]> {
    const { session, since } = this.#target;
    const told = typeof since === "string" ? readCursor(since) : undefined;
    const all = await this.#look("all", signal);
    this.#position.begin(told);
    if (session === undefined) return all.filter((seen) => this.#position.mayBeNew(seen));
    return since === undefined ? [] : all.filter((seen) => seen.revision !== since);
  }

  /** The changes to deliver. */
  tell(changed: readonly Sighting[]): Iterable<Change> {
    const inOrder = changed.toSorted((a, b) => a.at - b.at);
    if (this.#target.session === undefined) return this.#position.changes(inOrder);
    return inOrder.map((seen) => changeOf(seen, KNOWS_NO_OTHERS));
  }

  /** Waits until there is something to look at. What it finds may be nothing new. */
  async next(signal: AbortSignal): Promise<readonly Sighting[]> {
    await this.#rung.wait(this.#pauseMs(), signal);
    if (signal.aborted) return [];
    const rung = this.#rung.take();
    const ended = this.#expiries.due(this.#source.now());
    if (rung === "all" || performance.now() >= this.#netAt) return this.#look("all", signal);
    return this.#look(new Set([...rung, ...ended.map(folderName)]), signal);
  }

  #pauseMs(): number {
    return Math.min(this.#netAt - performance.now(), this.#expiries.soonest - this.#source.now());
  }

  /** The sessions that are not as they were when they were last seen. */
  async #look(where: ReadonlySet<string> | "all", signal: AbortSignal): Promise<readonly Sighting[]> {
    const began = performance.now();
    const changed: Sighting[] = [];
    // After a look at everything only what is there is known: one that comes back from nothing is new.
    const known = where === "all" ? new Map<string, Sighting>() : this.#known;
    for await (const seen of this.#source.look(where)) {
      if (signal.aborted) return [];
      const before = this.#known.get(seen.id);
      known.set(seen.id, seen);
      this.#expiries.note(seen.id, seen.expiresAt);
      if (before !== undefined && isSameSighting(before, seen)) continue;
      this.#position.exchange(before, seen);
      changed.push(seen);
    }
    if (where === "all") this.#forgetAllBut(known);
    this.#known = known;
    if (where === "all") this.#planNet(performance.now() - began);
    return changed;
  }

  #forgetAllBut(there: ReadonlyMap<string, Sighting>): void {
    for (const [id, gone] of this.#known) if (!there.has(id)) this.#position.exchange(gone, undefined);
  }

  /** By the quicker of two looks: the first one reads every journal, and one may fall into a pause of the machine. */
  #planNet(tookMs: number): void {
    const { netIntervalMs, doorbell } = this.#source;
    const sessions = this.#target.session === undefined ? "all" : "one";
    const look = {
      sessions,
      tookMs: Math.min(tookMs, this.#lastTookMs),
      watchers: doorbell.listeners,
    } as const;
    this.#lastTookMs = tookMs;
    this.#netAt = performance.now() + netIntervalMs(look);
  }
}
