import { plainRequests } from "./append-arguments.js";
import { commonArguments } from "./commit-arguments.js";
import { newerFormat } from "./error-mapping.js";
import { pause } from "./pause.js";
import type { RedisContext } from "./redis-context.js";
import { replicated } from "./replicated.js";
import { listOf } from "./reply.js";
import { APPEND } from "./scripts.js";
import { LEASE_MS } from "./session-index.js";
import { callBefore, type Work } from "./work.js";

const LONGEST_PAUSE = 20;

/** What the index was told, and for which version of the small state. */
interface Lease {
  readonly until: number;
  readonly version: string;
}

/**
 * The fast lane: plain appends in one round trip, whatever the revision of the session is. However many do so at once, nobody has
 * to try again.
 */
export class Appends {
  readonly #context: RedisContext;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  /** Whether the session was read by this connection and was in order: the fast lane does not look at all of it. */
  #isKnown(sessionId: string): boolean {
    const { cache, acknowledgements, server } = this.#context;
    return cache.get(sessionId) !== undefined && acknowledgements.isProven(sessionId, server.epoch);
  }

  /** Applies the next requests, as far as they are plain. `false` if the next one has to be decided in general. */
  async append(work: Work): Promise<boolean> {
    return this.#isKnown(work.sessionId) && this.#append(work);
  }

  async #append(work: Work, lease?: Lease): Promise<boolean> {
    const { sessionId, deadline } = work;
    const { server, keys, who, clock, acknowledgements } = this.#context;
    const { count, args } = plainRequests(work.rest);
    if (count === 0) return false;
    const { session, window } = keys.session(sessionId);
    const { epoch } = server;
    const all = [
      ...commonArguments(keys.channel, sessionId, who),
      lease?.until ?? "",
      lease?.version ?? "",
      work.before?.lastId ?? "",
      count,
      ...args,
    ];
    const expected = acknowledgements.last(sessionId);
    const answer = server.tell(APPEND, [session, window], all, deadline);
    // The next one is sent behind it on the same connection, and says that it comes after this one.
    if (count === work.rest.length) work.written();
    const [status, at, before, applied] = listOf(await answer);
    if (status === "behind") {
      await callBefore(work);
      return true;
    }
    if (status === "newer") throw newerFormat(Number(at));
    if (status === "held") {
      await pause(clock, Math.min(Number(at), LONGEST_PAUSE));
      return true;
    }
    if (status === "lease" && lease === undefined) return this.#append(work, await this.#leased(work));
    if (status !== "ok") return false;
    const revision = Number(before);
    if (expected !== undefined)
      acknowledgements.compare(sessionId, expected, { revision, remembers: undefined, epoch });
    await this.#accept(work, Number(applied), revision, Number(at), epoch);
    work.isGeneral = Number(applied) < count;
    return true;
  }

  async #accept(work: Work, applied: number, revision: number, at: number, epoch: number): Promise<void> {
    const last = work.rest[applied - 1];
    if (last === undefined) return;
    this.#context.acknowledgements.note(work.sessionId, {
      revision: revision + applied,
      commitId: last.id,
      epoch,
    });
    await replicated(this.#context, work, epoch);
    for (let n = 1; n <= applied; n++) work.outcomes.push({ status: "applied", revision: revision + n, at });
    work.rest = work.rest.slice(applied);
    work.tries = 0;
  }

  /** Tells the index of changes to come. */
  async #leased({ sessionId, deadline }: Work): Promise<Lease> {
    const { sessions, index } = this.#context;
    const moment = await sessions.with(sessionId, {}, deadline, (found) => found);
    const { now, state, version } = moment;
    const until = now + LEASE_MS;
    if (state?.status === "live") {
      const labels = Object.entries(state.labels);
      const entry = { bound: until, isNew: false, labels, parent: state.parent?.sessionId };
      await index.enter(sessionId, entry, deadline);
    }
    return { until, version };
  }
}
