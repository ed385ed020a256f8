import type { Capabilities } from "../backend/capabilities.js";
import type { CommitOutcome } from "../backend/commit-outcome.js";
import type { CommitRequest } from "../backend/commit-request.js";
import type { LoopShare } from "../platform/loop-share.js";
import { BatchSize } from "./batch-size.js";
import { CommitGroup, type WaitingCommit, type WaitingPlan, type WaitingRequest } from "./commit-group.js";
import { requestBytes } from "./request-bytes.js";
import type { SendBatch, Settlement } from "./send-batch.js";

/** What a queue works with. */
interface CommitQueueContext {
  readonly sendBatch: SendBatch;
  /** Whether one batch may span sessions. */
  readonly groupCommit: Capabilities["groupCommit"];
  readonly share: LoopShare;
}

/** How a commit is queued. */
export interface QueueOptions<Result> {
  /** Turns the outcome into the caller's result. If it throws, the caller's promise is rejected. */
  readonly toResult: (outcome: CommitOutcome) => Result;
  /** Cancels the commit while it is still queued. */
  readonly signal?: AbortSignal | undefined;
}

type Settle = Pick<WaitingCommit, "resolve" | "reject">;

/**
 * Group commit, first in, first out: while one batch is made durable, the next one collects. A planned commit runs when
 * all earlier commits of its session have settled, and later ones wait for it.
 */
export class CommitQueue {
  readonly #context: CommitQueueContext;
  readonly #size = new BatchSize();
  /** One group for the store, or one for each session that has commits to send. */
  readonly #groups = new Map<string, CommitGroup>();
  #drained: () => void = () => undefined;

  constructor(context: CommitQueueContext) {
    this.#context = context;
  }

  /** Queues a request. */
  enqueue<Result>(request: CommitRequest, options: QueueOptions<Result>): Promise<Result> {
    return this.#push(options, (settle) => waitingRequest(request, false, settle));
  }

  /** Queues a commit that is computed from the session's current state. */
  enqueuePlan<Result>(
    sessionId: string,
    run: () => Promise<CommitOutcome>,
    options: QueueOptions<Result>,
  ): Promise<Result> {
    return this.#push(options, (settle) => ({ kind: "plan", sessionId, run, ...settle }));
  }

  /** Sends a request of a planned commit that is running. */
  sendForPlan(request: CommitRequest): Promise<CommitOutcome> {
    return this.#push({ toResult: (outcome) => outcome }, (settle) => waitingRequest(request, true, settle));
  }

  /** Resolves when everything that was queued has settled. */
  async drain(): Promise<void> {
    while (this.#groups.size > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
  }

  #push<Result>(
    { toResult, signal }: QueueOptions<Result>,
    waitingWith: (settle: Settle) => WaitingCommit,
  ): Promise<Result> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const waiting = waitingWith({
        resolve(outcome) {
          signal?.removeEventListener("abort", takeBack);
          try {
            resolve(toResult(outcome));
          } catch (error) {
            reject(error);
          }
        },
        reject(error) {
          signal?.removeEventListener("abort", takeBack);
          reject(error);
        },
      });
      const key = this.#context.groupCommit === "store" ? "" : waiting.sessionId;
      const group = this.#groups.get(key) ?? new CommitGroup();
      const takeBack = (): void => {
        // A commit that was already sent settles with its true outcome.
        if (group.takeBack(waiting)) waiting.reject(signal?.reason);
      };
      signal?.addEventListener("abort", takeBack, { once: true });
      this.#groups.set(key, group);
      group.push(waiting);
      if (!group.isSending) void this.#sendAll(key, group);
    });
  }

  async #sendAll(key: string, group: CommitGroup): Promise<void> {
    group.isSending = true;
    while (!group.isEmpty) {
      // Calls made in the same turn of the event loop share a batch, and other events run before it is sent.
      await this.#context.share.afterOthers();
      const { requests, plans } = group.take(this.#size.begin());
      for (const plan of plans) void this.#run(key, group, plan);
      if (requests.length > 0) await this.#send(requests);
      else if (plans.length === 0) break; // the rest waits for planned commits
    }
    group.isSending = false;
    this.#removeIfIdle(key, group);
  }

  async #send(waiting: readonly WaitingRequest[]): Promise<void> {
    const { sendBatch, share } = this.#context;
    const startedAt = share.now();
    const sending = sendBatch(waiting.map(({ request }) => request));
    this.#size.observe(waiting, share.now() - startedAt);
    const [sent] = await Promise.allSettled([sending]);
    for (const [index, caller] of waiting.entries()) {
      await share.continue(); // callers are resumed one by one, because each continues with work of its own
      settle(caller, sent.status === "fulfilled" ? sent.value[index] : sent);
    }
  }

  async #run(key: string, group: CommitGroup, plan: WaitingPlan): Promise<void> {
    const [settlement] = await Promise.allSettled([plan.run()]);
    group.settled(plan);
    if (!group.isSending) void this.#sendAll(key, group);
    settle(plan, settlement);
  }

  #removeIfIdle(key: string, group: CommitGroup): void {
    if (!group.isIdle) return;
    this.#groups.delete(key);
    if (this.#groups.size === 0) this.#drained();
  }
}

function waitingRequest(request: CommitRequest, isOfPlan: boolean, settle: Settle): WaitingRequest {
  const { sessionId } = request;
  return { kind: "request", sessionId, request, bytes: requestBytes(request), isOfPlan, ...settle };
}

function settle(caller: Settle, settlement: Settlement | undefined): void {
  if (settlement?.status === "fulfilled") caller.resolve(settlement.value);
  else caller.reject(settlement?.reason);
}
