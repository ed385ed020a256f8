import type { LogLine } from "../../src/log/log-line.js";
import { judgeTurns } from "../../src/turns/judge/judge-turns.js";
import { sortTurns } from "../../src/turns/judge/sort-turns.js";
import type { Conversation, StoredMessage, Told, TurnEvent } from "../../src/turns/turn-line.js";
import type { Mode, Update } from "../../src/turns/update.js";

/** An update of a mode, whose conversation is the session "s". */
export function update(number: number, mode: Mode = "queue", more: Partial<Update> = {}): Update {
  const group = `${mode}/s`;
  return { number, mode, account: "archives", user: "u", group, links: false, isReset: false, ...more };
}

/** What a call is told. */
export function told(outcome: Told["outcome"], reply?: string, more: Partial<Told> = {}): Told {
  return { outcome, reply, duplicate: false, session: "s", ...more };
}

/** What an answer to an update says. */
export function answerTo(number: number, sees: readonly number[] = [number]): string {
  return `to ${number} sees ${sees.join()} by w1.${number}`;
}

/** How a call is made, if not by the first worker. */
interface CallOptions {
  readonly by?: string;
  readonly during?: TurnEvent["type"];
}

/** A log that is written by hand: each call takes ten microseconds. */
export class TurnLog {
  readonly lines: LogLine[] = [];
  #at = 0;
  #calls = 0;

  /** A call that is answered; without an answer if it was killed. `during`: what happens meanwhile. */
  call(delivered: Update, answer?: Told | string, { by = "w1-1", during }: CallOptions = {}): this {
    const one = { process: by, call: ++this.#calls };
    this.lines.push({ type: "delivered", ...one, at: this.#next(), via: "handle", update: delivered });
    if (during !== undefined) this.event(during, delivered.number);
    if (typeof answer === "string")
      this.lines.push({ type: "refused", ...one, at: this.#next(), code: answer });
    else if (answer !== undefined) this.lines.push({ type: "replied", ...one, at: this.#next(), ...answer });
    return this;
  }

  /** The last delivery, which the audit makes. */
  again(delivered: Update, answer: Told): this {
    return this.call(delivered, { ...answer, duplicate: true }, { by: "audit" });
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

  /** The kinds of what the judge finds. */
  kinds(): readonly string[] {
    return judgeTurns(sortTurns(this.lines)).map(({ kind }) => kind);
  }

  #next(): number {
    this.#at += 10;
    return this.#at;
  }
}

/** The prompt of an update, and what is noted on it. */
export function prompt(number: number, more: Partial<StoredMessage> = {}): StoredMessage {
  const turnId = `t${number}`;
  const mark = { outcome: "answered", turnId, replyIds: [`a${number}`] };
  return { id: turnId, role: "user", text: "", isLive: true, update: number, turnId, mark, ...more };
}

/** The answer to an update. */
export function answer(number: number, more: Partial<StoredMessage> = {}): StoredMessage {
  const text = answerTo(number);
  return { id: `a${number}`, role: "assistant", text, isLive: true, turnId: `t${number}`, ...more };
}
