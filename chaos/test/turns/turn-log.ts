import { FINAL_READ } from "../../src/log/final-read-name.js";
import type { LogLine } from "../../src/log/log-line.js";
import { judgeTurns } from "../../src/turns/judge/judge-turns.js";
import { sortTurns } from "../../src/turns/judge/sort-turns.js";
import type { CallResult, Conversation, StoredMessage, TurnEvent } from "../../src/turns/turn-line.js";
import type { Mode, Update } from "../../src/turns/update.js";

/** An update of a mode, whose conversation is the session "s". */
export function update(number: number, mode: Mode = "queue", more: Partial<Update> = {}): Update {
  const group = `${mode}/s`;
  return { number, mode, account: "archives", user: "u", group, links: false, isReset: false, ...more };
}

/** The result of a call. */
export function result(
  outcome: CallResult["outcome"],
  reply?: string,
  more: Partial<CallResult> = {},
): CallResult {
  return { outcome, reply, duplicate: false, session: "s", ...more };
}

/** The text of an answer to an update. */
export function answerTo(number: number, sees: readonly number[] = [number]): string {
  return `to ${number} sees ${sees.join()} by w1.${number}`;
}

/** The process that makes a call, and an event during the call. */
interface CallOptions {
  readonly by?: string;
  readonly during?: TurnEvent["type"];
}

/** A log made for a test. Each line is ten microseconds after the last. */
export class TurnLog {
  readonly lines: LogLine[] = [];
  #at = 0;
  #calls = 0;

  /** Adds a call with a result or an error code. Without either, the process of the call was killed. */
  call(delivered: Update, outcome?: CallResult | string, { by = "w1-1", during }: CallOptions = {}): this {
    const callId = { process: by, call: ++this.#calls };
    this.lines.push({ type: "delivered", ...callId, at: this.#next(), via: "handle", update: delivered });
    if (during !== undefined) this.event(during, delivered.number);
    if (typeof outcome === "string")
      this.lines.push({ type: "refused", ...callId, at: this.#next(), code: outcome });
    else if (outcome !== undefined)
      this.lines.push({ type: "replied", ...callId, at: this.#next(), ...outcome });
    return this;
  }

  /** Adds the last delivery of an update, which the final read makes. */
  again(delivered: Update, first: CallResult): this {
    return this.call(delivered, { ...first, duplicate: true }, { by: FINAL_READ });
  }

  event(type: TurnEvent["type"], number: number): this {
    this.lines.push({ type, at: this.#next(), process: "w1-1", update: number });
    return this;
  }

  stores(messages: readonly StoredMessage[], more: Partial<Conversation> = {}): this {
    const turns = messages.filter(({ role }) => role === "assistant").length;
    const counters = { turns, inputTokens: 3 * turns, outputTokens: 2 * turns };
    this.lines.push({ type: "conversation", session: "s", messages, counters, harm: [], ...more });
    return this;
  }

  /** The kinds of the findings of the judge. */
  kinds(): readonly string[] {
    return judgeTurns(sortTurns(this.lines)).map(({ kind }) => kind);
  }

  #next(): number {
    this.#at += 10;
    return this.#at;
  }
}

/** The stored prompt of an update, with its outcome. */
export function prompt(number: number, more: Partial<StoredMessage> = {}): StoredMessage {
  const turnId = `t${number}`;
  const mark = { outcome: "answered", turnId, replyIds: [`a${number}`] };
  return { id: turnId, role: "user", text: "", isLive: true, update: number, turnId, mark, ...more };
}

/** The stored answer to an update. */
export function answer(number: number, more: Partial<StoredMessage> = {}): StoredMessage {
  const text = answerTo(number);
  return { id: `a${number}`, role: "assistant", text, isLive: true, turnId: `t${number}`, ...more };
}
