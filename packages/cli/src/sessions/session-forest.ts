import type { SessionSummary, SessionTree } from "@sessions/protocol";

/** Sessions with their forks. The roots are sessions without a parent, or whose parent is deleted. */
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

/** A session id with its incarnation, because a parent that was deleted and created again is another session. */
const lifeOf = (id: string, incarnation: string): string => JSON.stringify([id, incarnation]);
