import { type Json, type OperationInput, remove, SessionError, type Turn, update } from "@sessions/protocol";
import {
  Checkpoints,
  forwardAbort,
  isLost,
  leaseRetryPolicy,
  lossSignal,
  type RetryPolicy,
  retry,
} from "@sessions/turn-runner";
import type { UIMessage, UIMessageChunk } from "ai";
import { settledParts } from "../messages/settled-parts.js";
import { storedMessage } from "../messages/stored-message.js";
import type { Answer } from "../options.js";
import type { Settings } from "../settings.js";
import { answerChunks } from "./answer-chunks.js";
import { jsonChunk } from "./chunk.js";
import { ChunkLog } from "./chunk-log.js";
import { foldChunks } from "./fold-chunks.js";
import { LiveStream } from "./live-stream.js";

/** An answer to write into a stored draft, by a turn that has begun. */
export interface AnswerTask {
  readonly turn: Turn;
  readonly answerId: string;
  readonly asked: string;
  /** The answer that this one continues. */
  readonly base?: UIMessage | undefined;
  readonly respond: (signal: AbortSignal) => Promise<Answer> | Answer;
}

/** The end of an answer that is incomplete. */
interface Cut {
  readonly outcome: "interrupted" | "failed";
  /** The reason, for the page. */
  readonly text: string;
}

type End = { readonly outcome: "completed"; readonly finish: UIMessageChunk } | Cut;

type Finish = Extract<UIMessageChunk, { type: "finish" }>;

/** Writes an answer: to the page at once, to the store by checkpoints, and its end in one commit. Always ends its turn. */
export class AnswerTurn {
  readonly #settings: Settings;
  readonly #task: AnswerTask;
  readonly #live = new LiveStream();
  readonly #stop = new AbortController();
  readonly #policy: RetryPolicy;
  readonly #log: ChunkLog;
  readonly #checkpoints: Checkpoints;
  #finish: Finish = { type: "finish" };

  constructor(settings: Settings, task: AnswerTask) {
    this.#settings = settings;
    this.#task = task;
    this.#policy = leaseRetryPolicy(settings, lossSignal(task.turn));
    this.#log = new ChunkLog(task.answerId);
    this.#checkpoints = new Checkpoints(this.#log, {
      ...settings.checkpoint,
      policy: this.#policy,
      commit: (ops, options) => task.turn.commit(ops, options),
      onFailure: (error) => this.#stop.abort(error),
    });
  }

  /** The stream for the page. */
  get stream(): ReadableStream<UIMessageChunk> {
    return this.#live.stream;
  }

  /** Never rejects: the page gets every error. */
  async run(): Promise<void> {
    const unlink = forwardAbort(this.#task.turn.signal, this.#stop);
    try {
      this.#live.push(await this.#end(await this.#write()));
    } catch (error) {
      this.#live.push({ type: "error", errorText: this.#settings.onError(error) });
    } finally {
      unlink();
      this.#live.end();
    }
  }

  async #write(): Promise<End> {
    const { signal } = this.#stop;
    try {
      this.#add(jsonChunk({ type: "start", messageId: this.#task.answerId }));
      for await (const value of answerChunks(() => this.#task.respond(signal), signal)) {
        const chunk = jsonChunk(value);
        const cut = cutIn(chunk);
        // A model that is stopped may throw another error. The abort reason counts.
        if (cut !== undefined) return signal.aborted ? this.#stopped() : cut;
        await this.#take(chunk);
      }
    } catch (error) {
      if (!signal.aborted) return this.#failed(error);
    }
    return signal.aborted ? this.#stopped() : { outcome: "completed", finish: this.#finish };
  }

  /** The end of an answer that was stopped, or that could not be saved. */
  #stopped(): Cut {
    return this.#task.turn.signal.aborted ? STOPPED : this.#failed(this.#stop.signal.reason);
  }

  #failed(error: unknown): Cut {
    return { outcome: "failed", text: this.#settings.onError(error) };
  }

  async #take(chunk: Json & UIMessageChunk): Promise<void> {
    // The draft has an id already: the stream's own id would make another message of it.
    if (chunk.type === "start") return this.#addMetadata(chunk.messageMetadata);
    if (chunk.type === "finish") {
      // Sent to the page when the end is stored, and not before.
      this.#finish = chunk;
      return this.#addMetadata(chunk.messageMetadata);
    }
    this.#add(chunk);
    await (chunk.type.startsWith("tool-") && !chunk.type.endsWith("-delta")
      ? this.#checkpoints.flush()
      : this.#checkpoints.grown());
  }

  #addMetadata(messageMetadata: unknown): void {
    if (messageMetadata !== undefined) this.#add(jsonChunk({ type: "message-metadata", messageMetadata }));
  }

  #add(chunk: Json & UIMessageChunk): void {
    if (!("transient" in chunk && chunk.transient === true)) this.#log.add(chunk);
    this.#live.push(chunk);
  }

  /** Stores the end. Returns the last chunk for the page. */
  async #end(end: End): Promise<UIMessageChunk> {
    await this.#checkpoints.stop();
    this.#requireNotLost();
    if (end.outcome !== "completed") return this.#fail(end);
    const { message, failure } = await foldChunks(this.#beginning(), this.#log.chunks());
    if (failure !== undefined) return this.#fail(this.#failed(failure.error));
    try {
      await this.#complete(message, end.finish);
      return end.finish;
    } catch (error) {
      this.#requireNotLost();
      const cut = this.#failed(error);
      if (isRefusal(error)) await this.#saveRest();
      return this.#fail(cut);
    }
  }

  /** Saves the rest in the draft: a draft may grow beyond what one message may have. If that is refused too, the answer ends without it. */
  async #saveRest(): Promise<void> {
    const { turn } = this.#task;
    const ops = this.#stop.signal.aborted ? [] : this.#log.take();
    if (ops.length === 0) return;
    try {
      await retry(this.#policy, (options) => turn.commit(ops, options));
      this.#log.confirm();
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }

  /** If another turn has the chat, this one must not write any more. */
  #requireNotLost(): void {
    const { signal } = this.#task.turn;
    if (isLost(signal)) throw signal.reason;
  }

  async #complete(message: UIMessage, finish: UIMessageChunk): Promise<void> {
    const { turn, asked } = this.#task;
    const { finishReason } = finish.type === "finish" ? finish : {};
    const marks = { turnId: turn.turnId, asked, ...(finishReason === undefined ? {} : { finishReason }) };
    const ops = [update(storedMessage(message, marks))];
    await retry(this.#policy, (options) => turn.complete(ops, options));
  }

  /**
   * Ends the turn with the answer so far. While the store refuses that, because a text is too large for example, the commit is sent
   * with fewer and fewer of the unsaved chunks, and at last with the draft as it is.
   */
  async #fail({ outcome, text }: Cut): Promise<UIMessageChunk> {
    const { turn } = this.#task;
    for (const dropped of droppedCounts(this.#log.unsaved)) {
      const ops = dropped === undefined ? [] : await this.#partial(dropped);
      try {
        await retry(this.#policy, (options) => turn.fail(text, ops, { ...options, outcome }));
        break;
      } catch (error) {
        if (dropped === undefined || !isRefusal(error)) throw error;
      }
    }
    return outcome === "interrupted" ? { type: "abort" } : { type: "error", errorText: text };
  }

  /** The stored form of an incomplete answer. An empty one is removed. */
  async #partial(dropped: number): Promise<OperationInput[]> {
    const { answerId, base, turn, asked } = this.#task;
    const { message } = await foldChunks(this.#beginning(), this.#log.chunks(dropped));
    const settled = settledParts(message);
    if (base === undefined && settled.parts.length === 0) return [remove(answerId)];
    return [update({ ...storedMessage(settled, { turnId: turn.turnId, asked }), status: "interrupted" })];
  }

  #beginning(): UIMessage {
    const { answerId, base } = this.#task;
    return base ?? { id: answerId, role: "assistant", parts: [] };
  }
}

const STOPPED: Cut = { outcome: "interrupted", text: "stopped" };

/** The end of an answer that reports itself as incomplete. */
function cutIn(chunk: UIMessageChunk): Cut | undefined {
  if (chunk.type === "error") return { outcome: "failed", text: String(chunk.errorText) };
  return chunk.type === "abort" ? { outcome: "interrupted", text: chunk.reason ?? STOPPED.text } : undefined;
}

/** How many of the last chunks to drop: 0, then 1, 2, 4… up to all unsaved ones; at last `undefined`, for the draft as it is. */
function* droppedCounts(unsaved: number): Generator<number | undefined> {
  yield 0;
  for (let dropped = 1; dropped < unsaved; dropped *= 2) yield dropped;
  if (unsaved > 0) yield unsaved;
  yield undefined;
}

/** Whether the store refuses the content of a commit, so that it may take less of it. */
function isRefusal(error: unknown): boolean {
  return SessionError.is(error) && !error.retryable && error.code !== "TURN_LOST";
}
