import { checkedJson } from "./checked-text.js";
import { commitArguments } from "./commit-arguments.js";
import type { Deadline } from "./deadline.js";
import type { Moment } from "./moment.js";
import type { Patch } from "./patch.js";
import type { RedisContext } from "./redis-context.js";
import { listOf } from "./reply.js";
import { COMMIT } from "./scripts.js";
import type { StagedPlace } from "./staged.js";
import type { SmallState } from "./stored-state.js";

const HOLD_MS = 250;

/** Keeps room for rows at the end of a session. `undefined` if the session is gone. */
export async function reserveRows(
  { sessions, server, keys, who, nonce }: RedisContext,
  sessionId: string,
  { at, count, ms }: { readonly at: number; readonly count: number; readonly ms: number },
  deadline: Deadline,
): Promise<StagedPlace | undefined> {
  const { session, window } = keys.session(sessionId);
  while (!deadline.isOver) {
    const moment = await sessions.with(sessionId, { hold: { who, ms: HOLD_MS } }, deadline, (found) => found);
    const { present, now } = moment;
    if (present === undefined) return undefined;
    const reserved = `q${nonce()}`;
    const patch = reservation(moment, present.content.small, {
      count,
      until: now + ms,
      reserved,
      version: nonce(),
    });
    const args = commitArguments(keys.channel, who, moment, patch, undefined);
    const [status] = listOf(await server.ask(COMMIT, [session, window], args, deadline));
    if (status === "ok") return { at, first: present.head.nextRow, count, reserved };
  }
  return undefined;
}

interface Reservation {
  readonly count: number;
  readonly until: number;
  readonly reserved: string;
  readonly version: string;
}

/** The session with rows that nobody holds: until the commit comes they are garbage with a time limit. */
function reservation(moment: Moment, small: SmallState, asked: Reservation): Patch {
  const { count, until, reserved, version } = asked;
  const from = moment.present?.head.nextRow ?? 0;
  const to = from + count;
  const garbage = [...(small.garbage ?? []), { from, to, until, reserved }];
  const runs = moment.runs.toOpenJson(to);
  const { revision = 0 } = moment.window ?? {};
  return {
    isLive: true,
    revision,
    at: moment.now,
    isTold: false,
    isNewLife: false,
    stagedKey: undefined,
    fields: [
      ["n", String(to)],
      ["o", version],
      ["z", checkedJson({ ...small, runs, garbage })],
      [reserved, String(until)],
    ],
    dropped: [],
    lines: [],
    messageRows: [],
    windowFields: [["r", String(revision)]],
    windowDropped: [],
    given: [],
    turns: [],
    turnHorizon: 0,
    givenHorizon: undefined,
    expiresAt: undefined,
    expiry: "keep",
    windowExpiry: "keep",
    remembered: undefined,
    garbage: [],
  };
}
