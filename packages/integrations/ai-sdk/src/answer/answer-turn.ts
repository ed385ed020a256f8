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
import { chunksOf } from "./answer-chunks.js";
import { ChunkLog, folded, jsonChunk } from "./answer-draft.js";
import { LiveStream } from "./live-stream.js";

/** An answer to be written by a turn that holds its session, into a draft that is there. */
export interface Answering {
  readonly turn: Turn;
  readonly answerId: string;
  readonly asked: string;
  /** What the answer goes on with. */
  readonly base?: UIMessage | undefined;
  readonly respond: (signal: AbortSignal) => Promise<Answer> | Answer;
}

/** How an answer ended before it was whole. */
interface Cut {
  readonly outcome: "interrupted" | "failed";
  /** Why, as the page is told. */
  readonly text: string;
}

type End = { readonly outcome: "completed"; readonly finish: UIMessageChunk } | Cut;

type Finish = Extract<UIMessageChunk, { type: "finish" }>;

/** Writes an answer: to the page at once, to the store bit by bit, and its end in one commit. Always ends its turn. */
export class AnswerTurn {
  readonly #settings: Settings;
  readonly #answering: Answering;
  readonly #live = new LiveStream();
  readonly #stop = new AbortController();
  readonly #policy: RetryPolicy;
  readonly #log: ChunkLog;
  readonly #checkpoints: Checkpoints;
  #finish: Finish = { type: "finish" };

  constructor(settings: Settings, answering: Answering) {
    this.#settings = settings;
    this.#answering = answering;
    this.#policy = leaseRetryPolicy(settings, lossSignal(answering.turn));
    this.#log = new ChunkLog(answering.answerId);
    this.#checkpoints = new Checkpoints(this.#log, {
      ...settings.checkpoint,
      policy: this.#policy,
      commit: (ops, options) => answering.turn.commit(ops, options),
      onFailure: (error) => this.#stop.abort(error),
    });
  }

  /** What the page reads. */
  get stream(): ReadableStream<UIMessageChunk> {
    return this.#live.stream;
  }

  /** Never rejects: whatever happens, the page is told. */
  async run(): Promise<void> {
    const unlink = forwardAbort(this.#answering.turn.signal, this.#stop);
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
      this.#tell(jsonChunk({ type: "start", messageId: this.#answering.answerId }));
      for await (const told of chunksOf(() => this.#answering.respond(signal), signal)) {
        const chunk = jsonChunk(told);
        const end = cutIn(chunk);
        // A model that is told to stop may say so in its own words: what counts is who told it.
        if (end !== undefined) return signal.aborted ? this.#stopped() : end;
        await this.#take(chunk);
      }
    } catch (error) {
      if (!signal.aborted) return this.#failed(error);
    }
    return signal.aborted ? this.#stopped() : { outcome: "completed", finish: this.#finish };
  }

  /** Somebody has stopped it, or it could not be saved. */
  #stopped(): Cut {
    return this.#answering.turn.signal.aborted ? STOPPED : this.#failed(this.#stop.signal.reason);
  }

  #failed(error: unknown): Cut {
    return { outcome: "failed", text: this.#settings.onError(error) };
  }

  async #take(chunk: Json & UIMessageChunk): Promise<void> {
    // The answer has its id already: a stream's own would make another message of it.
    if (chunk.type === "start") return this.#about(chunk.messageMetadata);
    if (chunk.type === "finish") {
      // Told when everything is stored, and not before.
      this.#finish = chunk;
      return this.#about(chunk.messageMetadata);
    }
    this.#tell(chunk);
    await (chunk.type.startsWith("tool-") && !chunk.type.endsWith("-delta")
      ? this.#checkpoints.flush()
      : this.#checkpoints.grown());
  }

  async #about(messageMetadata: unknown): Promise<void> {
    if (messageMetadata !== undefined) this.#tell(jsonChunk({ type: "message-metadata", messageMetadata }));
  }

  #tell(chunk: Json & UIMessageChunk): void {
    if (!("transient" in chunk && chunk.transient === true)) this.#log.add(chunk);
    this.#live.push(chunk);
  }

  /** Stores the end, and answers what the page is told last. */
  async #end(end: End): Promise<UIMessageChunk> {
    await this.#checkpoints.stop();
    this.#requireHeld();
    if (end.outcome !== "completed") return this.#fail(end);
    const { message, failure } = await folded(this.#beginning(), this.#log.chunks());
    if (failure !== undefined) return this.#fail(this.#failed(failure.error));
    try {
      await this.#complete(message, end.finish);
      return end.finish;
    } catch (error) {
      this.#requireHeld();
      const cut = this.#failed(error);
      if (isRefusal(error)) await this.#saveRest();
      return this.#fail(cut);
    }
  }

  /** What is too large for one message, its draft may still take. If it does not, the answer ends with less. */
  async #saveRest(): Promise<void> {
    const { turn } = this.#answering;
    const ops = this.#stop.signal.aborted ? [] : this.#log.take();
    if (ops.length === 0) return;
    try {
      await retry(this.#policy, (options) => turn.commit(ops, options));
      this.#log.confirm();
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }

  /** Where somebody else has the chat now: not a word more. */
  #requireHeld(): void {
    const { signal } = this.#answering.turn;
    if (isLost(signal)) throw signal.reason;
  }

  async #complete(message: UIMessage, finish: UIMessageChunk): Promise<void> {
    const { turn, asked } = this.#answering;
    const { finishReason } = finish.type === "finish" ? finish : {};
    const marks = { turnId: turn.turnId, asked, ...(finishReason === undefined ? {} : { finishReason }) };
    const ops = [update(storedMessage(message, marks))];
    await retry(this.#policy, (options) => turn.complete(ops, options));
  }

  /**
   * Ends the turn with what there is of the answer. If the store refuses that, such as a text that is too large, then with
   * less and less of what is not saved yet, and at last with the draft as it is.
   */
  async #fail({ outcome, text }: Cut): Promise<UIMessageChunk> {
    const { turn } = this.#answering;
    for (const dropped of droppings(this.#log.unsaved)) {
      const ops = dropped === undefined ? [] : await this.#rest(dropped);
      try {
        await retry(this.#policy, (options) => turn.fail(text, ops, { ...options, outcome }));
        break;
      } catch (error) {
        if (dropped === undefined || !isRefusal(error)) throw error;
      }
    }
    return outcome === "interrupted" ? { type: "abort" } : { type: "error", errorText: text };
  }

  /** What stays of an answer that was not completed. One of which nothing came is taken back. */
  async #rest(dropped: number): Promise<OperationInput[]> {
    const { answerId, base, turn, asked } = this.#answering;
    const message = settledParts((await folded(this.#beginning(), this.#log.chunks(dropped))).message);
    if (base === undefined && message.parts.length === 0) return [remove(answerId)];
    return [update({ ...storedMessage(message, { turnId: turn.turnId, asked }), status: "interrupted" })];
  }

  #beginning(): UIMessage {
    const { answerId, base } = this.#answering;
    return base ?? { id: answerId, role: "assistant", parts: [] };
  }
}

const STOPPED: Cut = { outcome: "interrupted", text: "stopped" };

/** How an answer ends that says itself that it is not whole. */
function cutIn(chunk: UIMessageChunk): Cut | undefined {
  if (chunk.type === "error") return { outcome: "failed", text: String(chunk.errorText) };
  return chunk.type === "abort" ? { outcome: "interrupted", text: chunk.reason ?? STOPPED.text } : undefined;
}

/** None of the last chunks, then 1, 2, 4… up to all that are not saved, and at last nothing at all. */
function* droppings(unsaved: number): Generator<number | undefined> {
  yield 0;
  for (let dropped = 1; dropped < unsaved; dropped *= 2) yield dropped;
  if (unsaved > 0) yield unsaved;
  yield undefined;
}

/** Whether the store has judged what it was sent, so that it may take less of it. */
function isRefusal(error: unknown): boolean {
  return SessionError.is(error) && !error.retryable && error.code !== "TURN_LOST";
}
