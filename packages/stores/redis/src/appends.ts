import type { Acknowledged } from "./acknowledgements.js";
import { addPlainRequests } from "./append-arguments.js";
import { newerFormat } from "./error-mapping.js";
import { UNTOLD } from "./notes.js";
import { pause } from "./pause.js";
import type { RedisContext } from "./redis-context.js";
import { replicated } from "./replicated.js";
import { listOf } from "./reply.js";
import { APPEND } from "./scripts.js";
import type { Text } from "./server.js";
import { LEASE_MS } from "./session-index.js";
import { callBefore, type Work } from "./work.js";

const LONGEST_PAUSE = 20;

/** What the index was told, and for which version of the small state. */
interface Lease {
  readonly until: number;
  readonly version: string;
}

/** What a call has to say that most need not. */
interface Conditions {
  readonly lease?: Lease;
  /** A hold is our own. */
  readonly isHolder?: boolean;
}

const NONE: Conditions = {};

/** What was known before the server was asked. */
interface Known {
  readonly expected: Acknowledged | undefined;
  readonly epoch: number;
}

interface Applied {
  readonly at: number;
  /** Before the first of them. */
  readonly revision: number;
  readonly applied: number;
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
  isKnown(sessionId: string): boolean {
    const { cache, acknowledgements, server } = this.#context;
    return cache.get(sessionId) !== undefined && acknowledgements.isProven(sessionId, server.epoch);
  }

  /** Applies the next requests, as far as they are plain. `false` if the next one has to be decided in general. */
  async append(work: Work, conditions: Conditions = NONE): Promise<boolean> {
    const { sessionId, deadline } = work;
    const { server, keys, acknowledgements, notes, replication } = this.#context;
    const { session, window } = keys.session(sessionId);
    const expected = acknowledgements.last(sessionId);
    const args: Text[] = [keys.channel, expected?.revision ?? 0, this.#conditionsText(work, conditions)];
    const count = addPlainRequests(work.rest, args);
    if (count === 0) return false;
    const { epoch } = server;
    const answer = server.tell(APPEND, [session, window], args, deadline);
    // The next one is sent behind it on the same connection, and says that it comes after this one.
    if (count === work.rest.length) work.written();
    const reply = listOf(await answer);
    const [at, before, applied, isUntold] = reply;
    if (typeof at !== "number") return this.#refused(work, conditions, reply, { expected, epoch });
    if (isUntold !== undefined) notes.take("publish", UNTOLD);
    const all = { at, revision: Number(before), applied: Number(applied) };
    const last = work.rest[all.applied - 1];
    if (last !== undefined) {
      acknowledgements.note(sessionId, { revision: all.revision + all.applied, commitId: last.id, epoch });
      if (replication !== undefined) await replicated(this.#context, work, epoch);
      accept(work, all);
    }
    work.isGeneral = all.applied < count;
    return true;
  }

  /** Nothing was written. */
  async #refused(
    work: Work,
    conditions: Conditions,
    [status, detail, holder]: readonly unknown[],
    { expected, epoch }: Known,
  ): Promise<boolean> {
    const { clock, who, acknowledgements } = this.#context;
    switch (status) {
      case "behind":
        await callBefore(work);
        return true;
      case "newer":
        throw newerFormat(Number(detail));
      case "lost":
        if (expected !== undefined)
          acknowledgements.compare(work.sessionId, expected, {
            revision: Number(detail),
            remembers: undefined,
            epoch,
          });
        return false;
      case "held":
        if (holder === who) return this.append(work, { ...conditions, isHolder: true });
        await pause(clock, Math.min(Number(detail), LONGEST_PAUSE));
        return true;
      case "lease":
        if (conditions.lease !== undefined) return false;
        return this.append(work, { ...conditions, lease: await this.#leased(work) });
      default:
        return false;
    }
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

  #conditionsText({ before }: Work, { lease, isHolder }: Conditions): string {
    if (before === undefined && lease === undefined && isHolder === undefined) return "";
    const who = isHolder === true ? this.#context.who : "";
    return `${lease?.until ?? ""} ${lease?.version ?? ""} ${who} ${before?.lastId ?? ""}`;
  }
}

function accept(work: Work, { at, revision, applied }: Applied): void {
  for (let n = 1; n <= applied; n++) work.outcomes.push({ status: "applied", revision: revision + n, at });
  work.rest = work.rest.slice(applied);
  work.tries = 0;
}
