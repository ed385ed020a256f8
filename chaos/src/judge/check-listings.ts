import type { HistoryEvent } from "@sessions/conformance/multi-process";
import type { Listed } from "../log/log-line.js";
import type { Finding } from "./finding.js";

/** Every listing has all sessions that were acknowledged before it began, and none that no process had tried to create. */
export function checkListings(history: readonly HistoryEvent[], listings: readonly Listed[]): Finding[] {
  const made = sessionsOf(history);
  return listings.flatMap((listed) => [...missing(listed, made), ...ghosts(listed, made)]);
}

interface Made {
  /** When the first call was sent that could create it. */
  readonly triedAt: number;
  /** When the first one was acknowledged. */
  readonly madeAt: number;
}

type Sessions = ReadonlyMap<string, Made>;

function sessionsOf(history: readonly HistoryEvent[]): Sessions {
  const made = new Map<string, Made>();
  const calls = new Map<string, string>();
  for (const event of history) {
    const name = `${event.process}#${event.call}`;
    if (event.type === "invoke" && event.action.kind !== "read") {
      calls.set(name, event.session);
      const { triedAt = event.at, madeAt = Number.POSITIVE_INFINITY } = made.get(event.session) ?? {};
      made.set(event.session, { triedAt: Math.min(triedAt, event.at), madeAt });
    }
    const session = event.type === "ok" && hasMade(event.result) ? calls.get(name) : undefined;
    const known = session === undefined ? undefined : made.get(session);
    if (session !== undefined && known !== undefined)
      made.set(session, { ...known, madeAt: Math.min(known.madeAt, event.at) });
  }
  return made;
}

/** An answer without a revision, or with revision 0, does not show that the session exists. */
function hasMade({ revision = 0, token }: { readonly revision?: number; readonly token?: string }): boolean {
  return revision > 0 || token !== undefined;
}

function missing({ process, invokedAt, sessions }: Listed, made: Sessions): Finding[] {
  const listed = new Set(sessions);
  return [...made].flatMap(([session, { madeAt }]) => {
    if (madeAt >= invokedAt || listed.has(session)) return [];
    return [{ kind: "listing", session, detail: `a listing by ${process} misses "${session}"` }];
  });
}

function ghosts({ process, at, sessions }: Listed, made: Sessions): Finding[] {
  const doubled = sessions.filter((session, index) => sessions.indexOf(session) !== index);
  const unknown = sessions.filter((session) => (made.get(session)?.triedAt ?? Number.POSITIVE_INFINITY) > at);
  return [
    ...doubled.map((session) => finding(session, `a listing by ${process} has "${session}" twice`)),
    ...unknown.map((session) =>
      finding(session, `a listing by ${process} has "${session}", which nobody made`),
    ),
  ];
}

function finding(session: string, detail: string): Finding {
  return { kind: "listing", session, detail };
}
