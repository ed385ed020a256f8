import type { LiveState, Runs } from "@sessions/protocol/backend";
import type { GrowingState, HotState } from "./hot-state.js";
import type { CountedGenerated } from "./stored-memory.js";
import type { RowText, StoredSession } from "./stored-session.js";

/** What an append changes. */
export interface Growing {
  readonly head: Runs;
  readonly topId: string;
  readonly generated: CountedGenerated;
}

type Steady = Pick<StoredSession, "parts" | "counted" | "drafts">;

export function rowTextOf(session: Steady, state: LiveState): RowText {
  return {
    steady: JSON.stringify(steadyState(session, state)).slice(0, -1),
    newest: JSON.stringify(session.counted.generated.newest).slice(1, -1),
  };
}

/** What a live session's row says beside its columns: a `HotState`. */
export function stateText({ steady, newest }: RowText, { head, topId, generated }: Growing): string {
  const { n, count, horizon, top } = generated;
  const memory = `{"n":${n},"count":${count},"horizon":${horizon},"top":${JSON.stringify(top)},"newest":[${newest}]}`;
  return `${steady},"head":${head.toText()},"topId":${JSON.stringify(topId)},"generated":${memory}}`;
}

function steadyState(
  { parts, counted, drafts }: Steady,
  state: LiveState,
): Omit<HotState, keyof GrowingState> {
  const { title, parent, turn, lastTurn, history } = state;
  return {
    incarnation: state.incarnation,
    title,
    expiresIn: state.expiresIn,
    renewOnUse: state.renewOnUse,
    labels: state.labels,
    counters: state.counters,
    parent,
    turn,
    queue: state.queue,
    lastTurn,
    rewrittenAt: state.rewrittenAt,
    liveFrom: history.liveFrom,
    partials: history.partials,
    archives: history.archives.map((archive) => parts.archives.get(archive) ?? 0),
    nextPart: parts.next,
    partCount: parts.metadata.size + parts.archives.size + parts.snapshots.size,
    ...(drafts.size === 0 ? {} : { drafts: [...drafts] }),
    commits: counted.commits,
    turns: counted.turns,
    unknownFields: state.unknownFields,
  };
}
