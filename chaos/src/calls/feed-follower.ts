import { sharedClock } from "@sessions/conformance/multi-process";
import { type ErrorCode, SessionError, type SessionStore } from "@sessions/protocol";
import type { LogLine, ReceivedChange } from "../log/log-line.js";
import { readLogs } from "../log/read-logs.js";
import { isExpectedError } from "../worker/expected-errors.js";

const RETRY_MS = 50;

/** What a watcher works with. */
export interface FollowerOptions {
  readonly store: SessionStore;
  /** The worker slot whose watcher this is. */
  readonly watcher: number;
  readonly logs: string;
  readonly write: (line: LogLine) => void;
  readonly tolerates: readonly ErrorCode[];
}

/** Watches the whole store and logs every change. Resumes after the last change that its slot has logged. */
export class FeedFollower {
  readonly #options: FollowerOptions;
  readonly #stopped = new AbortController();
  #cursor: string | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#cursor = lastCursor(options);
  }

  /** Watches until it is stopped. Resumes a watch that ends with an expected error. */
  async run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      try {
        await this.#follow();
      } catch (error) {
        if (SessionError.is(error, "STORE_CLOSED")) return;
        if (!isExpectedError(error, this.#options.tolerates)) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #follow(): Promise<void> {
    const { store, watcher, write } = this.#options;
    const { signal } = this.#stopped;
    for await (const { sessionId: session, revision, cursor } of store.watch({
      since: this.#cursor,
      signal,
    })) {
      write({ type: "change-received", watcher, at: sharedClock(), session, revision, cursor });
      this.#cursor = cursor;
    }
  }
}

function lastCursor({ logs, watcher }: FollowerOptions): string | undefined {
  const lines = readLogs(logs, `w${watcher}-`).filter(
    (line): line is ReceivedChange => line.type === "change-received",
  );
  return lines.reduce<ReceivedChange | undefined>(
    (last, line) => (last === undefined || line.at >= last.at ? line : last),
    undefined,
  )?.cursor;
}
