import type { Change, WatchTarget } from "@sessions/protocol";
import type { Doorbell } from "./doorbell.js";
import { Expiries } from "./expiries.js";
import { cursorOf, toldBefore } from "./feed-cursor.js";
import type { NetInterval } from "./net-interval.js";
import { Rung } from "./rung.js";
import { folderName } from "./session-path.js";
import type { Sighting } from "./sighting.js";

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
    let changes = await watcher.first();
    while (!signal.aborted) {
      for (const change of changes) {
        yield change;
        if (signal.aborted) return;
      }
      changes = await watcher.next(signal);
    }
  } finally {
    stop();
  }
}

/** What one watcher knows. */
class Watcher {
  readonly #target: WatchTarget;
  readonly #source: ChangeSource;
  readonly #rung = new Rung();
  readonly #expiries = new Expiries();
  /** The revision of each session that was told. */
  #known = new Map<string, number>();
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
  async first(): Promise<readonly Change[]> {
    const isKnown = knownBy(this.#target);
    return this.#look("all", isKnown);
  }

  /** Waits until there is something to look at. What it finds may be nothing new. */
  async next(signal: AbortSignal): Promise<readonly Change[]> {
    await this.#rung.wait(this.#pauseMs(), signal);
    if (signal.aborted) return [];
    const rung = this.#rung.take();
    const ended = this.#expiries.due(this.#source.now());
    if (rung === "all" || performance.now() >= this.#netAt) return this.#look("all");
    return this.#look(new Set([...rung, ...ended.map(folderName)]));
  }

  #pauseMs(): number {
    return Math.min(this.#netAt - performance.now(), this.#expiries.soonest - this.#source.now());
  }

  async #look(
    where: ReadonlySet<string> | "all",
    isKnown: (seen: Sighting) => boolean = () => false,
  ): Promise<readonly Change[]> {
    const began = performance.now();
    const changes: Change[] = [];
    // After a look at everything only what is there is known: one that comes back from nothing is new.
    const known = where === "all" ? new Map<string, number>() : this.#known;
    for await (const seen of this.#source.look(where)) {
      const told = this.#known.get(seen.id) === seen.revision || isKnown(seen);
      known.set(seen.id, seen.revision);
      this.#expiries.note(seen.id, seen.expiresAt);
      if (!told) changes.push(changeOf(seen));
    }
    this.#known = known;
    if (where === "all") this.#planNet(performance.now() - began);
    return changes.sort((a, b) => a.at - b.at);
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

/** What a watcher says that it knows: everything, if it says nothing. */
function knownBy({ since }: WatchTarget): (seen: Sighting) => boolean {
  if (since === undefined) return () => true;
  return typeof since === "string" ? toldBefore(since) : (seen) => seen.revision === since;
}

function changeOf(seen: Sighting): Change {
  const { id: sessionId, revision, at, deleted } = seen;
  return { sessionId, revision, at, ...(deleted ? { deleted } : {}), cursor: cursorOf(seen) };
}
