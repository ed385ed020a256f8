import type { Change, WatchTarget } from "@sessions/protocol";
import { folderName } from "../session/names/folder-name.js";
import type { ChangeNotifier } from "./change-notifier.js";
import { DeliveredSessions } from "./delivered-sessions.js";
import { Expiries } from "./expiries.js";
import { cursorOf, readCursor } from "./feed-cursor.js";
import { changeOf, FeedPosition } from "./feed-position.js";
import { isUnchanged, type ObservedSession } from "./observed-session.js";
import type { PollInterval } from "./poll-interval.js";
import { WakeSignal } from "./wake-signal.js";

/** Where changes come from. */
export interface ChangeSource {
  readonly notifier: Pick<ChangeNotifier, "listen" | "listeners">;
  /** The sessions in these folders as they are now; "all": every session that the watcher is for. */
  readonly observe: (folders: ReadonlySet<string> | "all") => AsyncIterable<ObservedSession>;
  readonly now: () => number;
  readonly pollIntervalMs: PollInterval;
}

/** A watcher of one session has not seen the others: its cursor repeats them all. */
const CURSOR_OF_ONE = cursorOf(new DeliveredSessions());

/** What one watcher has observed, and which of that was delivered. */
export class Watcher {
  readonly #target: WatchTarget;
  readonly #source: ChangeSource;
  readonly #signal = new WakeSignal();
  readonly #expiries = new Expiries();
  /** The sessions at the last look. */
  #observed = new Map<string, ObservedSession>();
  /** Of a watcher of the whole store. */
  readonly #position: FeedPosition | undefined;
  /** When to look at everything, without a notice; by the monotonic clock. */
  #pollAt = 0;
  #lastTookMs = 0;

  constructor(target: WatchTarget, source: ChangeSource) {
    this.#target = target;
    this.#source = source;
    this.#position = target.session === undefined ? new FeedPosition() : undefined;
  }

  /** Listens until the returned function is called. */
  listen(): () => void {
    const { session } = this.#target;
    const { notifier } = this.#source;
    return session === undefined
      ? notifier.listen(undefined, (folders) => this.#signal.add(folders))
      : notifier.listen(folderName(session), () => this.#signal.add("all"));
  }

  /** What the watcher has missed, if it says what it has seen. */
  async first(signal: AbortSignal): Promise<readonly ObservedSession[]> {
    const { since } = this.#target;
    const delivered = typeof since === "string" ? readCursor(since) : undefined;
    const all = await this.#look("all", signal);
    const position = this.#position;
    if (position !== undefined) {
      position.begin(delivered);
      return all.filter((observed) => position.mayBeNew(observed));
    }
    return since === undefined ? [] : all.filter(({ revision }) => revision !== since);
  }

  /** The changes, in order, each with its cursor. */
  deliver(changed: readonly ObservedSession[]): Iterable<Change> {
    const inOrder = changed.toSorted((a, b) => a.at - b.at);
    return this.#position?.changes(inOrder) ?? inOrder.map((one) => changeOf(one, CURSOR_OF_ONE));
  }

  /** Waits until there is something to look at. It may find no change. */
  async next(signal: AbortSignal): Promise<readonly ObservedSession[]> {
    await this.#signal.wait(this.#pauseMs(), signal);
    if (signal.aborted) return [];
    const folders = this.#signal.take();
    const expired = this.#expiries.due(this.#source.now());
    if (folders === "all" || performance.now() >= this.#pollAt) return this.#look("all", signal);
    return this.#look(new Set([...folders, ...expired.map(folderName)]), signal);
  }

  #pauseMs(): number {
    return Math.min(this.#pollAt - performance.now(), this.#expiries.soonest - this.#source.now());
  }

  /** The sessions that have changed since the last look. */
  async #look(where: ReadonlySet<string> | "all", signal: AbortSignal): Promise<readonly ObservedSession[]> {
    const began = performance.now();
    const changed: ObservedSession[] = [];
    // A look at everything starts from nothing: a session that was gone and is back is new.
    const observed = where === "all" ? new Map<string, ObservedSession>() : this.#observed;
    for await (const session of this.#source.observe(where)) {
      if (signal.aborted) return [];
      const before = this.#observed.get(session.id);
      observed.set(session.id, session);
      this.#expiries.note(session.id, session.expiresAt);
      if (before !== undefined && isUnchanged(before, session)) continue;
      this.#position?.exchange(before, session);
      changed.push(session);
    }
    if (where === "all") this.#forgetAllBut(observed);
    this.#observed = observed;
    if (where === "all") this.#planPoll(performance.now() - began);
    return changed;
  }

  #forgetAllBut(present: ReadonlyMap<string, ObservedSession>): void {
    for (const [id, gone] of this.#observed) if (!present.has(id)) this.#position?.exchange(gone, undefined);
  }

  /** By the quicker of two looks: the first one reads every journal, and one may fall into a pause of the machine. */
  #planPoll(tookMs: number): void {
    const { pollIntervalMs, notifier } = this.#source;
    const sessions = this.#target.session === undefined ? "all" : "one";
    const shorter = Math.min(tookMs, this.#lastTookMs);
    this.#lastTookMs = tookMs;
    this.#pollAt =
      performance.now() + pollIntervalMs({ sessions, tookMs: shorter, watchers: notifier.listeners });
  }
}
