/** A look that was taken, by which the next is planned. */
interface LookTaken {
  /** One session or all of them. */
  readonly sessions: "one" | "all";
  readonly tookMs: number;
  /** How many watchers look on their own. */
  readonly watchers: number;
}

/** How long a watcher waits before it looks at everything again. */
export type NetInterval = (look: LookTaken) => number;

const AT_LEAST_MS = { one: 50, all: 250 };
/** Looking may take a twentieth of the time, for all watchers together. */
const SHARE = 20;
/** A machine that stood still makes one look seem long; that must not put off the next for minutes. */
const AT_MOST_MS = 10_000;

/** Under the doorbell lies a net: what no ring told of is found by looking, the less often the more it costs. */
export const netIntervalMs: NetInterval = ({ sessions, tookMs, watchers }) =>
  Math.min(AT_MOST_MS, Math.max(AT_LEAST_MS[sessions], SHARE * tookMs * watchers));
