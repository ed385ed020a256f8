/** A look that was taken, by which the next is planned. */
interface Look {
  /** One session or all of them. */
  readonly sessions: "one" | "all";
  readonly tookMs: number;
  /** How many watchers poll. */
  readonly watchers: number;
}

/** How long a watcher waits before it looks at everything again. */
export type PollInterval = (look: Look) => number;

const MIN_MS = { one: 50, all: 250 };
/** Polling takes one part in this many of the time, for all watchers together. */
const TIME_SHARE = 20;
/** A machine that stood still makes one look seem long; that must not delay the next one by minutes. */
const MAX_MS = 10_000;

/** Notices may be lost: what they did not tell is found by polling, the less often the more it costs. */
export const pollIntervalMs: PollInterval = ({ sessions, tookMs, watchers }) =>
  Math.min(MAX_MS, Math.max(MIN_MS[sessions], TIME_SHARE * tookMs * watchers));
