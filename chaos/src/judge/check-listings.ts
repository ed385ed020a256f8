import type { HistoryEvent } from "@sessions/conformance/multi-process";
import type { Listing } from "../log/log-line.js";
import type { Finding } from "./finding.js";

/** Every listing has each session that was acknowledged before it began, and none that no process had tried to create. */
export function checkListings(history: readonly HistoryEvent[], listings: readonly Listing[]): Finding[] {
  const created = sessionsOf(history);
  return listings.flatMap((listing) => [...missing(listing, created), ...unexpected(listing, created)]);
}

interface Creation {
  /** When the first call that could create the session was sent. */
  readonly sentAt: number;
  /** When the first such call was acknowledged. */
  readonly acknowledgedAt: number;
}

type Sessions = ReadonlyMap<string, Creation>;

function sessionsOf(history: readonly HistoryEvent[]): Sessions {
  const created = new Map<string, Creation>();
  const calls = new Map<string, string>();
  for (const event of history) {
    const name = `${event.process}#${event.call}`;
    if (event.type === "invoke" && event.action.kind !== "read") {
      calls.set(name, event.session);
      const { sentAt = event.at, acknowledgedAt = Number.POSITIVE_INFINITY } =
        created.get(event.session) ?? {};
      created.set(event.session, { sentAt: Math.min(sentAt, event.at), acknowledgedAt });
    }
    const session = event.type === "ok" && showsCreation(event.result) ? calls.get(name) : undefined;
    const creation = session === undefined ? undefined : created.get(session);
    if (session !== undefined && creation !== undefined)
      created.set(session, { ...creation, acknowledgedAt: Math.min(creation.acknowledgedAt, event.at) });
  }
  return created;
}

/** A result without a revision, or with revision 0, does not show that the session exists. */
function showsCreation({
  revision = 0,
  token,
}: {
  readonly revision?: number;
  readonly token?: string;
}): boolean {
  return revision > 0 || token !== undefined;
}

function missing({ process, invokedAt, sessions }: Listing, created: Sessions): Finding[] {
  const listed = new Set(sessions);
  return [...created].flatMap(([session, { acknowledgedAt }]) => {
    if (acknowledgedAt >= invokedAt || listed.has(session)) return [];
    return [{ kind: "listing", session, detail: `a listing by ${process} misses "${session}"` }];
  });
}

function unexpected({ process, at, sessions }: Listing, created: Sessions): Finding[] {
  const doubled = sessions.filter((session, index) => sessions.indexOf(session) !== index);
  const unknown = sessions.filter(
    (session) => (created.get(session)?.sentAt ?? Number.POSITIVE_INFINITY) > at,
  );
  return [
    ...doubled.map((session) => finding(session, `a listing by ${process} has "${session}" twice`)),
    ...unknown.map((session) =>
      finding(session, `a listing by ${process} has "${session}", which no process has created`),
    ),
  ];
}

function finding(session: string, detail: string): Finding {
  return { kind: "listing", session, detail };
}
