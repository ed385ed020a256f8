import { Checkpoints, isHeld, type Patience, savePatiently } from "@sessions/managed-agent/building-blocks";
import { type OperationInput, remove, type Turn, update } from "@sessions/protocol";
import type { UIMessage, UIMessageChunk } from "ai";
import { ChunkLog, folded } from "./answer-draft.js";
import { LiveStream } from "./live-stream.js";
import type { Answer } from "./options.js";
import { chunksOf } from "./respond.js";
import type { Settings } from "./settings.js";
import { settledParts } from "./settled-parts.js";
import { storedMessage } from "./stored-message.js";

/** An answer to be written by a turn that holds its session, into a draft that is there. */
export interface Answering {
  readonly turn: Turn;
  readonly answerId: string;
  readonly asked: string;
  /** What the answer goes on with. */
  readonly base?: UIMessage | undefined;
  readonly respond: (signal: AbortSignal) => Promise<Answer> | Answer;
}

/** How an answer ended. */
type End =
  | { readonly outcome: "completed"; readonly finish: UIMessageChunk }
  | { readonly outcome: "interrupted" | "failed"; readonly text: string };

type Finish = Extract<UIMessageChunk, { type: "finish" }>;

/** Writes an answer: to the page at once, to the store bit by bit, and its end in one commit. Always ends its turn. */
export class AnswerTurn {
  readonly #settings: Settings;
  readonly #answering: Answering;
  readonly #live = new LiveStream();
  readonly #stop = new AbortController();
  readonly #log: ChunkLog;
  readonly #checkpoints: Checkpoints;
  #finish: Finish = { type: "finish" };

  constructor(settings: Settings, answering: Answering) {
    this.#settings = settings;
    this.#answering = answering;
    this.#log = new ChunkLog(answering.answerId);
    this.#checkpoints = new Checkpoints(this.#log, {
      ...settings.checkpoint,
      clock: settings.clock,
      patience: this.#patience(),
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
    const { signal } = this.#answering.turn;
    const stop = (): void => this.#stop.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    try {
      this.#live.push(await this.#end(await this.#write()));
    } catch (error) {
      this.#live.push({ type: "error", errorText: this.#settings.onError(error) });
    } finally {
      signal.removeEventListener("abort", stop);
      this.#live.end();
    }
  }

  async #write(): Promise<End> {
    try {
      this.#tell({ type: "start", messageId: this.#answering.answerId });
      const answer = this.#answering.respond(this.#stop.signal);
      for await (const chunk of chunksOf(answer, this.#stop.signal)) {
        if (chunk.type === "error") return this.#stopped({ outcome: "failed", text: chunk.errorText });
        if (chunk.type === "abort")
          return this.#stopped({ outcome: "interrupted", text: chunk.reason ?? "stopped" });
        await this.#take(chunk);
      }
    } catch (error) {
      return this.#stopped({ outcome: "failed", text: this.#settings.onError(error) });
    }
    if (this.#stop.signal.aborted) return this.#stopped({ outcome: "interrupted", text: "stopped" });
    return { outcome: "completed", finish: this.#finish };
  }

  /** A model that is told to stop may say so in its own words: what counts is who told it. */
  #stopped(end: End): End {
    const { turn } = this.#answering;
    if (turn.signal.aborted) return { outcome: "interrupted", text: "stopped" };
    if (!this.#stop.signal.aborted) return end;
    return { outcome: "failed", text: this.#settings.onError(this.#stop.signal.reason) };
  }

  async #take(chunk: UIMessageChunk): Promise<void> {
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
    if (messageMetadata !== undefined) this.#tell({ type: "message-metadata", messageMetadata });
  }

  #tell(chunk: UIMessageChunk): void {
    if (!("transient" in chunk && chunk.transient === true)) this.#log.add(chunk);
    this.#live.push(chunk);
  }

  /** Stores the end, and answers what the page is told last. */
  async #end(end: End): Promise<UIMessageChunk> {
    await this.#checkpoints.stop();
    const { turn } = this.#answering;
    // Somebody else has the chat now: not a word more.
    if (!isHeld(turn.signal)) throw turn.signal.reason;
    const message = await folded(this.#beginning(), this.#log.chunks);
    if (end.outcome === "completed") {
      await this.#complete(message, end.finish);
      return end.finish;
    }
    const { outcome, text } = end;
    const ops = this.#rest(settledParts(message));
    await savePatiently(this.#patience(), (options) =>
      turn.fail(new Error(text), ops, { ...options, outcome }),
    );
    return outcome === "interrupted" ? { type: "abort" } : { type: "error", errorText: text };
  }

  async #complete(message: UIMessage, finish: UIMessageChunk): Promise<void> {
    const { turn, asked } = this.#answering;
    const { finishReason } = finish.type === "finish" ? finish : {};
    const marks = { turnId: turn.turnId, asked, ...(finishReason === undefined ? {} : { finishReason }) };
    const ops = [update(storedMessage(message, marks))];
    try {
      await savePatiently(this.#patience(), (options) => turn.complete(ops, options));
    } catch (error) {
      // The draft holds what was saved; the turn is over either way, now or when its lease is.
      await Promise.allSettled([turn.fail(new Error(this.#settings.onError(error)))]);
      throw error;
    }
  }

  /** What stays of an answer that was not completed. One of which nothing came is taken back. */
  #rest(message: UIMessage): OperationInput[] {
    const { answerId, base, turn, asked } = this.#answering;
    if (base === undefined && message.parts.length === 0) return [remove(answerId)];
    return [update({ ...storedMessage(message, { turnId: turn.turnId, asked }), status: "interrupted" })];
  }

  #beginning(): UIMessage {
    const { answerId, base } = this.#answering;
    return base ?? { id: answerId, role: "assistant", parts: [] };
  }

  #patience(): Patience {
    const { clock, newId, ttlMs } = this.#settings;
    return { clock, newId, deadlineMs: ttlMs / 2, isOver: () => !isHeld(this.#answering.turn.signal) };
  }
}
