import { type CommitOutcome, type CommitRequest, SessionError } from "@sessions/protocol";
import { plainRequests } from "./append-arguments.js";
import { commitArguments, commonArguments } from "./commit-arguments.js";
import { Deadline } from "./deadline.js";
import { type Decision, decide, type Writing } from "./decision.js";
import {
  asSessionError,
  newerFormat,
  outcomeUnknown,
  tooBusy,
  Unanswered,
  Unconfirmed,
} from "./error-mapping.js";
import { pause } from "./pause.js";
import type { RedisContext } from "./redis-context.js";
import { listOf } from "./reply.js";
import { APPEND, COMMIT } from "./scripts.js";
import { LEASE_MS } from "./session-index.js";
import type { StagedMessages } from "./staged.js";
import { isLarge, stage, unstage } from "./staging.js";
import { wantedBy } from "./wanted-by.js";

/** After so many attempts others are asked to stand back for a moment. */
const PATIENT_TRIES = 3;
const HOLD_MS = 250;
const LONGEST_PAUSE = 20;

/** The requests of one call, all for one session, and how far they are. */
interface Work {
  readonly sessionId: string;
  deadline: Deadline;
  /** What is still to be decided. */
  rest: readonly CommitRequest[];
  readonly outcomes: CommitOutcome[];
  /** Something was sent and not answered: what is left may have been applied. */
  isUnanswered: boolean;
  /** The next one is not plain, or is to be looked at closely. */
  isGeneral: boolean;
  tries: number;
}

/** Carries out commits. */
export class Commits {
  readonly #context: RedisContext;

  constructor(context: RedisContext) {
    this.#context = context;
  }

  async commit(sessionId: string, requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    const { clock, deadlineMs } = this.#context;
    const deadline = new Deadline(clock, deadlineMs);
    const work: Work = {
      sessionId,
      deadline,
      rest: requests,
      outcomes: [],
      isUnanswered: false,
      isGeneral: false,
      tries: 0,
    };
    try {
      while (work.rest.length > 0) await this.#step(work);
    } catch (error) {
      return [...work.outcomes, ...this.#failed(work, error)];
    }
    return work.outcomes;
  }

  /** Decides some of the requests, or finds out why that was not possible. */
  async #step(work: Work): Promise<void> {
    if (work.tries > 0 && work.deadline.isOver) throw tooBusy(work.sessionId, work.deadline.passedMs);
    work.tries++;
    try {
      if (!work.isGeneral && this.#isKnown(work.sessionId) && (await this.#append(work))) return;
      await this.#decide(work);
    } catch (error) {
      if (!(error instanceof Unanswered) || work.deadline.isOver) throw error;
      // From here on it is asked whether they were applied.
      work.isUnanswered = true;
      work.isGeneral = true;
    }
  }

  /** Whether the session was read by this connection and was in order: the fast lane does not look at all of it. */
  #isKnown(sessionId: string): boolean {
    const { cache, acknowledgements, server } = this.#context;
    return cache.get(sessionId) !== undefined && acknowledgements.isProven(sessionId, server.epoch);
  }

  /** The fast lane. `false` if the next request has to be decided in general. */
  async #append(work: Work, lease?: { readonly until: number; readonly version: string }): Promise<boolean> {
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
      count,
      ...args,
    ];
    const expected = acknowledgements.last(sessionId);
    const reply = listOf(await server.tell(APPEND, [session, window], all, deadline));
    const [status, at, before, applied] = reply;
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
    await this.#replicated(work, epoch);
    for (let n = 1; n <= applied; n++) work.outcomes.push({ status: "applied", revision: revision + n, at });
    work.rest = work.rest.slice(applied);
    work.tries = 0;
  }

  /** Tells the index of changes to come. */
  async #leased({
    sessionId,
    deadline,
  }: Work): Promise<{ readonly until: number; readonly version: string }> {
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

  /** The general way: reads, decides, writes if nobody else has written since. */
  async #decide(work: Work): Promise<void> {
    const [first] = work.rest;
    if (first === undefined || !isLarge(first))
      return this.#decideStaged(work, upToLarge(work.rest), undefined);
    const staged = await stage(this.#context, work.sessionId, first, work.deadline);
    work.deadline = work.deadline.again();
    try {
      await this.#decideStaged(work, [first], staged);
    } finally {
      if (staged !== undefined) await this.#unstage(staged, work.deadline);
    }
  }

  /** That this fails must not hide how the commit went: the server removes the rows by itself in time. */
  async #unstage(staged: StagedMessages, deadline: Deadline): Promise<void> {
    try {
      await unstage(this.#context, staged, deadline);
    } catch (error) {
      this.#context.notes.take("staged rows", `Rows that were written ahead go later: ${String(error)}`);
    }
  }

  async #decideStaged(
    work: Work,
    requests: readonly CommitRequest[],
    staged: StagedMessages | undefined,
  ): Promise<void> {
    const { server, sessions, who, nonce } = this.#context;
    const { sessionId, deadline } = work;
    const asked = work.isUnanswered ? requests.map((request) => this.#aged(request, deadline)) : requests;
    const first = {
      ...wantedBy(asked),
      ...(work.tries > PATIENT_TRIES ? { hold: { who, ms: HOLD_MS } } : {}),
    };
    const { epoch } = server;
    const decision = await sessions.with(sessionId, first, deadline, (moment) =>
      decide(moment, asked, staged, nonce),
    );
    // What others have written is not told before it is safe, either: a repeat may be what it was not the first time.
    if (decision.writing === undefined) await this.#replicated(work, epoch);
    else if (!(await this.#write(work, decision, decision.writing))) return;
    work.outcomes.push(...decision.outcomes);
    work.rest = work.rest.slice(requests.length);
    work.isGeneral = false;
    work.tries = 0;
  }

  #aged(request: CommitRequest, deadline: Deadline): CommitRequest {
    return { ...request, ageMs: (request.ageMs ?? 0) + deadline.passedMs };
  }

  /** `false` if nothing was written, because the session is another one by now. */
  async #write(work: Work, { moment }: Decision, writing: Writing): Promise<boolean> {
    const { server, keys, who, index, clock } = this.#context;
    const { sessionId, deadline } = work;
    const { patch, indexing, commitId } = writing;
    const entered =
      indexing.entry === undefined ? undefined : await index.enter(sessionId, indexing.entry, deadline);
    const { session, window } = keys.session(sessionId);
    const common = commonArguments(keys.channel, sessionId, who);
    const args = commitArguments(common, moment, patch, entered?.at);
    const names = patch.stagedKey === undefined ? [session, window] : [session, window, patch.stagedKey];
    const { epoch } = server;
    const [status, detail] = listOf(await server.tell(COMMIT, names, args, deadline));
    if (status === "newer") throw newerFormat(Number(detail));
    if (status !== "ok") {
      const ms = status === "held" ? Math.min(Number(detail), LONGEST_PAUSE) : this.#jitter(work.tries);
      if (ms > 0) await pause(clock, ms);
      return false;
    }
    this.#remember(work, writing, { revision: patch.revision, commitId, epoch });
    await this.#replicated(work, epoch);
    if (entered !== undefined && writing.after.status === "live" && entered.bound > indexing.lease + LEASE_MS)
      await applied(index.correct(sessionId, entered.text, indexing.lease, 0, deadline));
    return true;
  }

  /** Who was overtaken once tries again at once. */
  #jitter(tries: number): number {
    return tries < 2 ? 0 : Math.random() * Math.min(2 ** tries, LONGEST_PAUSE);
  }

  #remember(
    { sessionId }: Work,
    { patch: { remembered, garbage } }: Writing,
    acknowledged: { readonly revision: number; readonly commitId: string; readonly epoch: number },
  ): void {
    const { cache, acknowledgements, pruning } = this.#context;
    acknowledgements.note(sessionId, acknowledged);
    if (remembered === undefined) {
      cache.forget(sessionId);
      return;
    }
    const { rows, content, ...known } = remembered;
    for (const { row, stored, size } of rows) content.table.put(row, stored, size, known.version);
    cache.put(sessionId, { ...known, content });
    if (garbage.length > 0) pruning.soon(sessionId);
  }

  async #replicated(work: Work, epoch: number): Promise<void> {
    const { replication } = this.#context;
    if (replication === undefined) return;
    await applied(replication.confirm(work.sessionId, epoch, work.deadline));
  }

  /** What is said to those that could not be decided. */
  #failed(work: Work, error: unknown): readonly CommitOutcome[] {
    const { location } = this.#context;
    const isUnknown = work.isUnanswered || error instanceof Unanswered || error instanceof Unconfirmed;
    const failure = asSessionError(error, location, work.sessionId);
    if (!isUnknown && !SessionError.is(failure)) throw failure;
    return work.rest.map((request) => ({
      status: "rejected",
      error:
        isUnknown || !SessionError.is(failure) ? outcomeUnknown(request.id, work.sessionId, error) : failure,
    }));
  }
}

function upToLarge(requests: readonly CommitRequest[]): readonly CommitRequest[] {
  const large = requests.findIndex(isLarge);
  return large < 0 ? requests : requests.slice(0, large);
}

/** Of a commit that was applied already: whatever fails now, it was not refused. */
async function applied(rest: Promise<void>): Promise<void> {
  try {
    await rest;
  } catch (error) {
    if (error instanceof Unconfirmed) throw error;
    throw new Unanswered(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
