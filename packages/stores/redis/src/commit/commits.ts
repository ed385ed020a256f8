import { type CommitOutcome, type CommitRequest, SessionError } from "@sessions/protocol/backend";
import { isLarge } from "@sessions/row-engine";
import { Deadline } from "../engine/deadline.js";
import { asSessionError, outcomeUnknown, tooBusy, Unanswered, Unconfirmed } from "../error-mapping.js";
import type { RedisContext } from "../redis-context.js";
import { AppendPath } from "./append-path.js";
import type { CommitProgress } from "./commit-progress.js";
import { CompareAndWrite } from "./compare-and-write.js";
import { NotStaged } from "./not-staged.js";
import { isPlainAppend } from "./plain-append.js";
import { RowCollector } from "./row-collector.js";
import { Staging } from "./stage-messages.js";
import type { StagedCommit } from "./staged-commit.js";

/** A session that begins, ends or is replaced again and again while a large commit to it is being staged. */
const MAX_STAGINGS = 10;

/** Carries out commits: plain appends as they come, all others by comparison. */
export class Commits {
  readonly #context: RedisContext;
  readonly #appends: AppendPath;
  readonly #general: CompareAndWrite;
  readonly #staging: Staging;
  readonly #collector: RowCollector;

  constructor(context: RedisContext) {
    this.#context = context;
    this.#appends = new AppendPath(context);
    this.#collector = new RowCollector(context);
    this.#general = new CompareAndWrite(context, this.#collector);
    this.#staging = new Staging(context);
  }

  async commit(sessionId: string, requests: readonly CommitRequest[]): Promise<readonly CommitOutcome[]> {
    const { clock, deadlineMs } = this.#context;
    const progress: CommitProgress = {
      sessionId,
      deadline: new Deadline(clock, deadlineMs),
      rest: requests,
      outcomes: [],
      isUnanswered: false,
      isGeneral: false,
      tries: 0,
    };
    try {
      while (progress.rest.length > 0) await this.#step(progress);
    } catch (error) {
      return [...progress.outcomes, ...this.#failed(progress, error)];
    }
    return progress.outcomes;
  }

  stop(): Promise<void> {
    return this.#collector.stop();
  }

  /** Decides some of the requests, or finds out why that was not possible. */
  async #step(progress: CommitProgress): Promise<void> {
    const { sessionId, deadline } = progress;
    if (progress.tries > 0 && deadline.isOver) throw tooBusy(sessionId, deadline.passedMs);
    progress.tries++;
    try {
      const [first] = progress.rest;
      if (
        first !== undefined &&
        !progress.isGeneral &&
        this.#appends.isKnown(sessionId) &&
        isPlainAppend(first)
      )
        await this.#appends.append(progress);
      else await this.#decide(progress);
    } catch (error) {
      if (error instanceof NotStaged && progress.tries < MAX_STAGINGS) return; // it is staged anew
      if (error instanceof NotStaged) throw tooBusy(sessionId, deadline.passedMs);
      if (!(error instanceof Unanswered) || deadline.isOver) throw error;
      // From here on it is asked whether they were applied.
      progress.isUnanswered = true;
      progress.isGeneral = true;
    }
  }

  async #decide(progress: CommitProgress): Promise<void> {
    const [first] = progress.rest;
    if (first === undefined) return;
    if (!isLarge(first)) return this.#general.commit(progress, upToLarge(progress), undefined);
    const staged = await this.#staging.stage(progress.sessionId, first, progress.deadline);
    progress.deadline = progress.deadline.again();
    try {
      await this.#general.commit(progress, [first], staged);
    } finally {
      if (staged !== undefined) await this.#unstage(staged, progress.deadline);
      await this.#context.share.afterOthers(); // a large commit is much work for its caller, too
    }
  }

  /** That this fails must not hide what has become of the commit: the server removes the rows by itself in time. */
  async #unstage(staged: StagedCommit, deadline: Deadline): Promise<void> {
    try {
      await this.#staging.unstage(staged, deadline);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.#context.warnings.set("staged rows", `Rows of a large commit stay for an hour: ${problem}`);
    }
  }

  /** What those are told that could not be decided. */
  #failed({ rest, sessionId, isUnanswered }: CommitProgress, error: unknown): readonly CommitOutcome[] {
    const failure = asSessionError(error, this.#context.location, sessionId);
    // A server that has lost what was before them has not got them, either. And it is said once, so it must be heard.
    const isLost = SessionError.is(failure, "DATA_LOST");
    const isUnknown = isUnanswered || error instanceof Unanswered || error instanceof Unconfirmed;
    if (!isUnknown && !SessionError.is(failure)) throw failure;
    return rest.map((request) => ({
      status: "rejected",
      error:
        SessionError.is(failure) && (isLost || !isUnknown)
          ? failure
          : outcomeUnknown(request.id, sessionId, error),
    }));
  }
}

/** The next requests that are decided together. */
function upToLarge({ rest, isUnanswered }: CommitProgress): readonly CommitRequest[] {
  const large = rest.findIndex(isLarge);
  const together = large < 0 ? rest : rest.slice(0, large);
  return isUnanswered ? together : upToPlain(together);
}

/** After one that is no plain append, appends go on by themselves. */
function upToPlain(requests: readonly CommitRequest[]): readonly CommitRequest[] {
  const plain = requests.findIndex((request, index) => index > 0 && isPlainAppend(request));
  return plain < 0 ? requests : requests.slice(0, plain);
}
