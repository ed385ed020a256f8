import { type CommitRequest, stateAt } from "@sessions/protocol/backend";
import { ReadRequired } from "@sessions/row-engine";
import { pause } from "../engine/pause.js";
import { lostBesideIndex } from "../error-mapping.js";
import type { RedisContext } from "../redis-context.js";
import { prefetchFor } from "../session/prefetch.js";
import type { AssumedAbsences, RedisSessionRows } from "../session/redis-session-rows.js";
import { loadEntry, type SessionEntry } from "../session/session-entry.js";
import { type CommitProgress, settle } from "./commit-progress.js";
import { type Decision, decide, type StateChange } from "./decide.js";
import { endWrite } from "./end-write.js";
import { liveWrite } from "./live-write.js";
import { NotStaged } from "./not-staged.js";
import type { RowCollector } from "./row-collector.js";
import { runCommit } from "./run-commit.js";

import type { StagedCommit } from "./staged-commit.js";
import type { SessionWrite } from "./write-context.js";

/** After so many attempts others are asked to wait for a moment: what takes long to decide would be overtaken again and again. */
const MAX_TRIES_UNHELD = 3;
const HOLD_MS = 250;
const MAX_PAUSE_MS = 20;

/** A decision and what is written for it. */
interface Planned {
  readonly decision: Decision;
  readonly change: StateChange | undefined;
  readonly write: SessionWrite | undefined;
}

/** Commits that are decided here: on the session as it is known or as it is read, and written if it is still that. */
export class CompareAndWrite {
  readonly #context: RedisContext;
  readonly #collector: RowCollector;
  /** Sessions that others have changed since they were last known here: they are read first. */
  readonly #contended = new Set<string>();

  constructor(context: RedisContext, collector: RowCollector) {
    this.#context = context;
    this.#collector = collector;
  }

  /** Decides the next requests. If nothing is decided afterwards, the session was changed meanwhile. */
  async commit(
    progress: CommitProgress,
    requests: readonly CommitRequest[],
    staged: StagedCommit | undefined,
  ): Promise<void> {
    const planned = this.#planOnKnown(progress, requests, staged);
    if (planned !== undefined) {
      if (await this.#write(progress, planned)) settle(progress, planned.decision.outcomes);
      else this.#contended.add(progress.sessionId);
      return;
    }
    const { epoch } = this.#context.server;
    const read = await this.#planOnRead(progress, requests, staged);
    if (this.#context.server.epoch !== epoch) return; // it was read on a connection that is gone
    if (read.write === undefined) await this.#confirm(progress, epoch);
    else if (!(await this.#write(progress, read))) return;
    else if (progress.tries === 1) this.#contended.delete(progress.sessionId);
    settle(progress, read.decision.outcomes);
  }

  /**
   * Decides on what is known, at the server's time as far as that is known. Only if something is to be written: the script compares it
   * with what is there, and an answer without a comparison would be an old one.
   */
  #planOnKnown(
    { sessionId, tries, isUnanswered }: CommitProgress,
    requests: readonly CommitRequest[],
    staged: StagedCommit | undefined,
  ): Planned | undefined {
    const { cache, sessions, acknowledgements, server, clock } = this.#context;
    const entry = cache.getAppended(sessionId);
    if (entry === undefined || staged !== undefined || tries > 1 || isUnanswered) return undefined;
    if (this.#contended.has(sessionId) || !acknowledgements.isVerifiedOn(sessionId, server.epoch))
      return undefined;
    if (requests.some((request) => request.ageMs !== undefined) || !isLeaseCertain(entry, requests))
      return undefined;
    const assumed = { messages: new Set<string>(), commits: new Set<string>(), turns: new Set<string>() };
    const unpin = cache.rows.pin();
    try {
      const rows = sessions.rowsOf(entry, undefined, assumed);
      const at = Math.floor(entry.now + clock.monotonic() - entry.askedAt);
      if (hasEnded(entry, at)) return undefined;
      const planned = this.#plan(entry, rows, requests, { at, staged, assumed });
      return planned.write === undefined ? undefined : planned;
    } catch (error) {
      if (error instanceof ReadRequired) return undefined;
      throw error;
    } finally {
      unpin();
    }
  }

  #planOnRead(
    { sessionId, deadline, tries, isUnanswered }: CommitProgress,
    requests: readonly CommitRequest[],
    staged: StagedCommit | undefined,
  ): Promise<Planned> {
    const { sessions, cache, instanceId } = this.#context;
    const asked = isUnanswered ? requests.map((request) => aged(request, deadline.passedMs)) : requests;
    const runningTurn = cache.get(sessionId)?.content?.hot.turn?.turnId;
    const first = {
      ...prefetchFor(asked, runningTurn),
      background: requests.every(({ background }) => background === true),
      hold: tries > MAX_TRIES_UNHELD || staged !== undefined ? { instanceId, ms: HOLD_MS } : undefined,
    };
    return sessions.read(sessionId, first, deadline, ({ entry, rows }) =>
      this.#plan(entry, rows, asked, { at: entry.now, staged, assumed: undefined }),
    );
  }

  #plan(
    entry: SessionEntry,
    rows: RedisSessionRows,
    requests: readonly CommitRequest[],
    manner: {
      readonly at: number;
      readonly staged: StagedCommit | undefined;
      readonly assumed: AssumedAbsences | undefined;
    },
  ): Planned {
    const { keys, cache, nonce } = this.#context;
    const { staged, assumed } = manner;
    const before = loadEntry(entry, rows);
    const isLive = stateAt(before?.state, manner.at)?.status === "live";
    if (staged?.life !== undefined && (!isLive || entry.head?.life !== staged.life)) throw new NotStaged();
    // Messages that were written ahead have a time already.
    const decision = decide(before, requests, staged?.at ?? manner.at);
    const { change } = decision;
    if (change === undefined) return { decision, change, write: undefined };
    const context = { keys: keys.session(entry.id), cache, entry, rows, staged, assumed, version: nonce() };
    const { after } = change;
    const write =
      after.status === "live" ? liveWrite(context, change, after) : endWrite(context, change, after);
    if (staged?.key !== undefined && !write.write.isNewLife) throw new NotStaged();
    return { decision, change, write };
  }

  /** `false` if nothing was written, because the session is another one by now. */
  async #write(progress: CommitProgress, { change, write: planned }: Planned): Promise<boolean> {
    const { server, clock, warnings, location } = this.#context;
    const { sessionId } = progress;
    if (planned === undefined || change === undefined) return false;
    const { epoch } = server;
    const [status, detail, more, entered] = await runCommit(
      this.#context,
      sessionId,
      planned.write,
      progress.deadline,
    );
    switch (status) {
      case "ok":
        this.#remember(sessionId, planned, change, epoch);
        if (more === "1" || entered === "1")
          warnings.noteWrite(sessionId, { isPublished: more !== "1", wasEntered: entered === "1" });
        await this.#confirm(progress, epoch);
        return true;
      case "indexed":
        if (planned.write.expected.at !== undefined) return false; // it was not read: it may have expired
        throw lostBesideIndex(location, sessionId, String(detail));
      case "unstaged":
        throw new NotStaged();
      case "held":
        await pause(clock, Math.min(Number(detail), MAX_PAUSE_MS));
        return false;
      default:
        progress.isGeneral = progress.isUnanswered; // it was read now: appends need not compare
        await pause(clock, pauseMs(progress.tries));
        return false;
    }
  }

  #remember(sessionId: string, { after, written }: SessionWrite, change: StateChange, epoch: number): void {
    const { server, cache, acknowledgements } = this.#context;
    const { head, content } = after;
    const { commitId } = change;
    if (commitId !== undefined)
      acknowledgements.note(sessionId, { revision: change.after.revision, commitId, epoch });
    if (server.epoch !== epoch) return;
    if (head !== undefined)
      for (const { row, stored, size } of written) cache.putRow(head.life, row, stored, size);
    cache.put(after);
    if (content !== undefined && content.unused.released.length > 0) this.#collector.soon(sessionId);
  }

  /** What others have written is not told before it is safe, either: a duplicate may have been written by another process. */
  async #confirm({ sessionId, deadline }: CommitProgress, epoch: number): Promise<void> {
    const { replication, keys } = this.#context;
    await replication?.confirm(keys.partitionOf(sessionId).number, epoch, deadline);
  }
}

/** The one who was overtaken once tries again at once. */
function pauseMs(tries: number): number {
  return tries < 2 ? 0 : Math.random() * Math.min(2 ** tries, MAX_PAUSE_MS);
}

function aged(request: CommitRequest, passedMs: number): CommitRequest {
  return { ...request, ageMs: (request.ageMs ?? 0) + passedMs };
}

/** The server's time is known to a second: only the server says whether a session has ended, lest one that has not begins anew. */
function hasEnded({ head, content }: SessionEntry, at: number): boolean {
  return content !== undefined && head?.expiresAt !== undefined && head.expiresAt <= at;
}

/** Whether the decision does not depend on whether the lease of another is over: that is for the server's clock to say. */
function isLeaseCertain({ content }: SessionEntry, requests: readonly CommitRequest[]): boolean {
  if (content === undefined) return true;
  const { turn, queue } = content.hot;
  if (turn === undefined && queue.length === 0) return true;
  return requests.every(({ fence, ops, ifIdle }) => {
    const isHolder = turn !== undefined && fence === turn.token;
    return isHolder || (ifIdle !== true && ops.every(({ op }) => op !== "turn"));
  });
}
