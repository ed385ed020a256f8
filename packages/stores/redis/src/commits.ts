import { type CommitOutcome, type CommitRequest, SessionError, stateAt } from "@sessions/protocol/backend";
import { isPlain } from "./append-arguments.js";
import { Appends } from "./appends.js";
import { commitArguments } from "./commit-arguments.js";
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
import type { Moment } from "./moment.js";
import { UNTOLD } from "./notes.js";
import { pause } from "./pause.js";
import type { RedisContext } from "./redis-context.js";
import { applied, replicated } from "./replicated.js";
import { listOf } from "./reply.js";
import { COMMIT } from "./scripts.js";
import { LEASE_MS } from "./session-index.js";
import type { StagedMessages } from "./staged.js";
import { isLarge, stage, unstage } from "./staging.js";
import { wantedBy } from "./wanted-by.js";
import type { Work } from "./work.js";

/** After so many attempts others are asked to stand back for a moment. */
const PATIENT_TRIES = 3;
const HOLD_MS = 250;
const LONGEST_PAUSE = 20;

/** Carries out commits. */
export class Commits {
  readonly #context: RedisContext;
  readonly #appends: Appends;

  constructor(context: RedisContext) {
    this.#context = context;
    this.#appends = new Appends(context);
  }

  commit(sessionId: string, requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    const { clock, deadlineMs } = this.#context;
    const work: Work = {
      sessionId,
      deadline: new Deadline(clock, deadlineMs),
      rest: requests,
      outcomes: [],
      isUnanswered: false,
      isGeneral: false,
      tries: 0,
    };
    return this.#committed(work);
  }

  async #committed(work: Work): Promise<readonly CommitOutcome[]> {
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
      if (!work.isGeneral && this.#appends.isKnown(work.sessionId) && (await this.#appends.append(work)))
        return;
      await this.#decide(work);
    } catch (error) {
      if (!(error instanceof Unanswered) || work.deadline.isOver) throw error;
      // From here on it is asked whether they were applied.
      work.isUnanswered = true;
      work.isGeneral = true;
    }
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
    const { server, sessions, cache, who, nonce } = this.#context;
    const { sessionId, deadline } = work;
    const asked = work.isUnanswered ? requests.map((request) => this.#aged(request, deadline)) : requests;
    const first = {
      ...wantedBy(asked, cache.get(sessionId)?.content.small.turn?.turnId),
      background: work.rest.every(({ background }) => background === true),
      // What takes long to decide would be overtaken again and again.
      ...(work.tries > PATIENT_TRIES || staged !== undefined ? { hold: { who, ms: HOLD_MS } } : {}),
    };
    const { epoch } = server;
    const mayTurnOutPlain = !work.isGeneral && !this.#appends.isKnown(sessionId) && asked.every(isPlain);
    const decision =
      this.#begun(work, asked, staged) ??
      (await sessions.with(sessionId, first, deadline, (moment) =>
        mayTurnOutPlain && isLive(moment) ? undefined : decide(moment, asked, staged, nonce),
      ));
    // It is known from now on, and in the fast lane nobody is overtaken.
    if (decision === undefined) return;
    // What others have written is not told before it is safe, either: a repeat may be what it was not the first time.
    if (decision.writing === undefined) await replicated(this.#context, work, epoch);
    else if (!(await this.#write(work, decision, decision.writing, epoch))) return;
    work.outcomes.push(...decision.outcomes);
    work.rest = work.rest.slice(requests.length);
    work.isGeneral = false;
    work.tries = 0;
  }

  /**
   * What requests come to that begin a session, if it was read a moment ago and was not there. Only if something is to be written: that
   * is compared, and an answer without it would be an old one.
   */
  #begun(
    { sessionId, tries, isUnanswered }: Work,
    asked: readonly CommitRequest[],
    staged: StagedMessages | undefined,
  ): Decision | undefined {
    const { sessions, nonce } = this.#context;
    const absent = sessions.absent(sessionId);
    if (absent === undefined || tries > 1 || isUnanswered || staged !== undefined) return undefined;
    const decision = decide(absent, asked, undefined, nonce);
    return decision.writing === undefined ? undefined : decision;
  }

  #aged(request: CommitRequest, deadline: Deadline): CommitRequest {
    return { ...request, ageMs: (request.ageMs ?? 0) + deadline.passedMs };
  }

  /** `false` if nothing was written, because the session is another one by now, or may be: it was read on a connection that is gone. */
  async #write(work: Work, { moment }: Decision, writing: Writing, epoch: number): Promise<boolean> {
    const { server, keys, who, index, clock, notes } = this.#context;
    const { sessionId, deadline } = work;
    const { patch, indexing } = writing;
    const entered =
      indexing.entry === undefined ? undefined : await index.enter(sessionId, indexing.entry, deadline);
    const { session, window } = keys.session(sessionId);
    const args = commitArguments(keys.channel, who, moment, patch, entered?.at);
    const names = patch.stagedKey === undefined ? [session, window] : [session, window, patch.stagedKey];
    if (server.epoch !== epoch) return false;
    const [status, detail, isUntold] = listOf(await server.tell(COMMIT, names, args, deadline));
    if (status === "newer") throw newerFormat(Number(detail));
    if (status !== "ok") {
      const ms = status === "held" ? Math.min(Number(detail), LONGEST_PAUSE) : this.#jitter(work.tries);
      if (ms > 0) await pause(clock, ms);
      return false;
    }
    if (isUntold !== undefined) notes.take("publish", UNTOLD);
    this.#remember(work, writing, epoch);
    await replicated(this.#context, work, epoch);
    if (entered !== undefined && writing.after.status === "live" && entered.bound > indexing.lease + LEASE_MS)
      await applied(index.correct(sessionId, entered.text, indexing.lease, 0, deadline));
    if (entered !== undefined) index.followed(sessionId, entered, deadline.again());
    return true;
  }

  /** Who was overtaken once tries again at once. */
  #jitter(tries: number): number {
    return tries < 2 ? 0 : Math.random() * Math.min(2 ** tries, LONGEST_PAUSE);
  }

  #remember({ sessionId }: Work, { patch, commitId }: Writing, epoch: number): void {
    const { server, cache, acknowledgements, pruning } = this.#context;
    const { revision, remembered, garbage } = patch;
    if (commitId !== undefined) acknowledgements.note(sessionId, { revision, commitId, epoch });
    if (remembered === undefined || server.epoch !== epoch) {
      cache.forget(sessionId);
      return;
    }
    const { rows, present } = remembered;
    const { head, content } = present;
    for (const { row, stored, size } of rows) content.table.put(row, stored, size, head.version);
    cache.put(sessionId, present);
    if (garbage.length > 0) pruning.soon(sessionId);
  }

  /** What is said to those that could not be decided. */
  #failed(work: Work, error: unknown): readonly CommitOutcome[] {
    const { location } = this.#context;
    const failure = asSessionError(error, location, work.sessionId);
    // A server that has lost what was before them has not got them, either. And it is said once, so it must be heard.
    const isLost = SessionError.is(failure, "DATA_LOST");
    const isUnknown = work.isUnanswered || error instanceof Unanswered || error instanceof Unconfirmed;
    if (!isUnknown && !SessionError.is(failure)) throw failure;
    return work.rest.map((request) => ({
      status: "rejected",
      error:
        SessionError.is(failure) && (isLost || !isUnknown)
          ? failure
          : outcomeUnknown(request.id, work.sessionId, error),
    }));
  }
}

function isLive({ state, now }: Moment): boolean {
  return stateAt(state, now)?.status === "live";
}

function upToLarge(requests: readonly CommitRequest[]): readonly CommitRequest[] {
  const large = requests.findIndex(isLarge);
  return large < 0 ? requests : requests.slice(0, large);
}
