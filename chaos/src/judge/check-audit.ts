import type { HistoryEvent } from "@sessions/conformance/multi-process";
import type { Audited } from "../log/log-line.js";
import type { Finding } from "./finding.js";

/** Every session is sound, and every commit with a commit id was applied once. */
export function checkAudit(history: readonly HistoryEvent[], audited: readonly Audited[]): Finding[] {
  const counts = commitIdsOf(history);
  return audited.flatMap(({ session, harm, applied }) => [
    ...harm.map((detail): Finding => ({ kind: "verification", session, detail })),
    ...miscounted(session, applied, counts.get(session)),
  ]);
}

interface CommitIds {
  readonly tried: Set<string>;
  readonly acknowledged: Set<string>;
}

function commitIdsOf(history: readonly HistoryEvent[]): ReadonlyMap<string, CommitIds> {
  const sessions = new Map<string, CommitIds>();
  const calls = new Map<string, { readonly ids: CommitIds; readonly commitId: string }>();
  for (const event of history) {
    const name = `${event.process}#${event.call}`;
    if (event.type === "invoke" && event.action.kind === "append" && event.action.commitId !== undefined) {
      const ids = sessions.get(event.session) ?? { tried: new Set(), acknowledged: new Set() };
      sessions.set(event.session, ids);
      ids.tried.add(event.action.commitId);
      calls.set(name, { ids, commitId: event.action.commitId });
    }
    const call = event.type === "ok" ? calls.get(name) : undefined;
    call?.ids.acknowledged.add(call.commitId);
  }
  return sessions;
}

function miscounted(session: string, applied: number, ids: CommitIds | undefined): Finding[] {
  const [least, most] = [ids?.acknowledged.size ?? 0, ids?.tried.size ?? 0];
  const detail = `${applied} commits counted; ${least} commit ids were acknowledged and ${most} were sent`;
  if (applied < least) return [{ kind: "lost", session, detail }];
  return applied > most ? [{ kind: "doubled", session, detail }] : [];
}
