import type { Acknowledged } from "./acknowledgements.js";
import { addPlainRequests, type PlainRequest } from "./append-arguments.js";
import { newerFormat } from "./error-mapping.js";
import type { Head } from "./moment.js";
import { UNTOLD } from "./notes.js";
import { pause } from "./pause.js";
import type { RedisContext } from "./redis-context.js";
import { replicated } from "./replicated.js";
import { listOf } from "./reply.js";
import type { RowTable } from "./row-table.js";
import { APPEND } from "./scripts.js";
import type { Text } from "./server.js";
import { type Entered, LEASE_MS } from "./session-index.js";
import type { Work } from "./work.js";

const LONGEST_PAUSE = 20;

/** What the index was told, and for which version of the small state. */
interface Lease {
  readonly until: number;
  readonly version: string;
  readonly entered: Entered;
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

/** What a session has come to. */
interface Reached {
  readonly at: number;
  /** After the last of the requests. */
  readonly revision: number;
  /** Of the first message. */
  readonly row: number;
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
    const { server, keys, acknowledgements, notes, replication, cache } = this.#context;
    const { session, window } = keys.session(sessionId);
    const known = cache.get(sessionId);
    const expected = acknowledgements.last(sessionId);
    const args: Text[] = [keys.channel, expected?.revision ?? 0, this.#conditionsText(conditions)];
    const plain = addPlainRequests(work.rest, args);
    if (plain.length === 0) return false;
    // Only of one's own commit: where others begin a session together, one of them tells the index.
    const isOwn = expected !== undefined && expected.revision === known?.head.revision;
    if (isOwn && conditions.lease === undefined && isUnleased(known.head))
      return this.#appendLeased(work, conditions, known.head.updatedAt);
    const { epoch } = server;
    const answer = server.tell(APPEND, [session, window], args, deadline);
    const reply = await answer;
    if (typeof reply !== "string") return this.#refused(work, conditions, listOf(reply), { expected, epoch });
    const { applied, isTold, ...reached } = readApplied(reply);
    if (!isTold) notes.take("publish", UNTOLD);
    const last = plain[applied - 1];
    if (last !== undefined) {
      acknowledgements.note(sessionId, { revision: reached.revision, commitId: last.id, epoch });
      if (replication !== undefined) await replicated(this.#context, work, epoch);
      // Its rows are of the life that the session had then: in another one they would be others.
      accept(work, plain.slice(0, applied), reached, known?.content.table);
      if (conditions.lease !== undefined) this.#noteLease(work, conditions.lease);
    }
    work.isGeneral = applied < plain.length;
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
        return true;
      case "newer":
        throw newerFormat(Number(detail));
      case "lost":
        if (expected !== undefined)
          acknowledgements.compare(
            work.sessionId,
            expected,
            { revision: Number(detail), remembers: undefined, epoch },
            false, // the turn machinery's commits are not plain appends
          );
        return false;
      case "held":
        if (holder === who) return this.append(work, { ...conditions, isHolder: true });
        await pause(clock, Math.min(Number(detail), LONGEST_PAUSE));
        return true;
      case "lease":
        // It was told already: the session is another one than it was told of.
        if (conditions.lease !== undefined && conditions.lease.until >= Number(detail)) return false;
        return this.#appendLeased(work, conditions, Number(detail));
      default:
        return false;
    }
  }

  /** Tells the index of changes to come, and appends then. */
  async #appendLeased(work: Work, conditions: Conditions, now: number): Promise<boolean> {
    const { cache, index } = this.#context;
    const { sessionId, deadline } = work;
    const known = cache.get(sessionId);
    if (known === undefined) return false;
    const { labels, parent, createdAt } = known.content.small;
    const until = now + LEASE_MS;
    const entry = {
      bound: until,
      createdAt,
      isNew: false,
      labels: Object.entries(labels),
      parent: parent?.sessionId,
    };
    const entered = await index.enter(sessionId, entry, deadline);
    return this.append(work, { ...conditions, lease: { until, version: known.head.version, entered } });
  }

  /** So that the index is not told again with the next append. */
  #noteLease({ sessionId, deadline }: Work, { until, version, entered }: Lease): void {
    const { cache, index } = this.#context;
    index.followed(sessionId, entered, deadline.again());
    const known = cache.get(sessionId);
    if (known?.head.version !== version) return;
    cache.put(sessionId, { ...known, head: { ...known.head, lease: Math.max(known.head.lease, until) } });
  }

  #conditionsText({ lease, isHolder }: Conditions): string {
    if (lease === undefined && isHolder === undefined) return "";
    const who = isHolder === true ? this.#context.who : "";
    return `${lease?.until ?? ""} ${lease?.version ?? ""} ${who} `;
  }
}

/** Whether the index was told of no change after the last one: so it is with a new session. */
function isUnleased({ lease, updatedAt }: Head): boolean {
  return lease <= updatedAt;
}

/** What the script answers where it has written: see there. */
function readApplied(reply: string): Reached & { readonly applied: number; readonly isTold: boolean } {
  const revisionEnd = reply.indexOf(" ");
  const timeEnd = reply.indexOf(" ", revisionEnd + 1);
  const rowEnd = reply.indexOf(" ", timeEnd + 1);
  const [applied = 1, untold] = rowEnd < 0 ? [] : reply.slice(rowEnd + 1).split(" ");
  return {
    revision: Number(reply.slice(0, revisionEnd)),
    at: Number(reply.slice(revisionEnd + 1, timeEnd)),
    row: Number(reply.slice(timeEnd + 1, rowEnd < 0 ? undefined : rowEnd)),
    applied: Number(applied),
    isTold: untold === undefined,
  };
}

function accept(
  work: Work,
  applied: readonly PlainRequest[],
  { at, revision: last, row: first }: Reached,
  table: RowTable | undefined,
): void {
  let revision = last - applied.length;
  let row = first;
  for (const { messages } of applied) {
    revision++;
    work.outcomes.push({ status: "applied", revision, at });
    for (const { draft, size } of messages) table?.append({ row: row++, draft, revision, at, size });
  }
  work.rest = work.rest.slice(applied.length);
  work.tries = 0;
}
