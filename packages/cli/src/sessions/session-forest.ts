import type { SessionSummary, SessionTree } from "@sessions/protocol";

/** Sessions with their forks, from those on that are nobody's fork or whose parent is gone. */
export function forestOf(sessions: readonly SessionSummary[]): readonly SessionTree[] {
  const lives = new Set(sessions.map(({ id, incarnation }) => lifeOf(id, incarnation)));
  const forks = new Map<string, SessionSummary[]>();
  for (const session of sessions) {
    if (session.parent === undefined) continue;
    const life = lifeOf(session.parent.sessionId, session.parent.incarnation);
    forks.set(life, [...(forks.get(life) ?? []), session]);
  }
  const treeOf = (session: SessionSummary): SessionTree => ({
    session,
    children: (forks.get(lifeOf(session.id, session.incarnation)) ?? []).map(treeOf),
  });
  const isRoot = ({ parent }: SessionSummary): boolean =>
    parent === undefined || !lives.has(lifeOf(parent.sessionId, parent.incarnation));
  return sessions.filter(isRoot).map(treeOf);
}

/** Which life of a session id: a deleted and recreated parent is another parent. */
const lifeOf = (id: string, incarnation: string): string => JSON.stringify([id, incarnation]);
