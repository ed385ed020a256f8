import { checkHistory } from "../../src/history/check-history.js";
import type { HistoryAction, HistoryEvent, HistoryResult } from "../../src/history/history-event.js";

/** Builds a log. The time is one more with every event. */
export class Log {
  readonly events: HistoryEvent[] = [];
  #now = 0;
  #calls = 0;

  /** A call without an answer so far. */
  invoke(process: string, action: HistoryAction, session = "s"): Pending {
    const call = ++this.#calls;
    this.events.push({ type: "invoke", process, call, at: ++this.#now, session, action });
    return {
      ok: (result) => this.events.push({ type: "ok", process, call, at: ++this.#now, result }),
      fail: (code) => this.events.push({ type: "fail", process, call, at: ++this.#now, code }),
      unknown: () => this.events.push({ type: "unknown", process, call, at: ++this.#now }),
    };
  }

  /** A call and its answer, with nothing in between. */
  ok(process: string, action: HistoryAction, result: HistoryResult, session = "s"): void {
    this.invoke(process, action, session).ok(result);
  }

  append(process: string, revision: number, ...ids: readonly string[]): void {
    this.ok(process, { kind: "append", ids }, { revision });
  }

  read(process: string, revision: number, ...ids: readonly string[]): void {
    this.ok(process, { kind: "read" }, { revision, ids });
  }

  begin(process: string, turnId: string, token: string, ttlMs = 1000): void {
    this.ok(process, { kind: "begin-turn", turnId, ttlMs }, { token });
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds * 1000;
  }
}

interface Pending {
  ok(result: HistoryResult): void;
  fail(code: string): void;
  unknown(): void;
}

/** The kinds of violation in a log, sorted, each once. */
export function kinds(log: Log): string[] {
  return [...new Set(checkHistory(log.events).map((violation) => violation.kind))].sort();
}
