import type { HistoryEvent } from "@sessions/conformance/multi-process";
import type { FinalState } from "../log/log-line.js";
import type { Finding } from "./finding.js";

/** `verify` finds every session sound, and every commit with a commit id was applied once. */
export function checkFinalState(history: readonly HistoryEvent[], states: readonly FinalState[]): Finding[] {
  const counts = commitIdsOf(history);
  return states.flatMap(({ session, harm, applied }) => [
    ...harm.map((detail): Finding => ({ kind: "verification", session, detail })),
    ...miscounted(session, applied, counts.get(session)),
  ]);
}

interface CommitIds {
  readonly sent: Set<string>;
  readonly acknowledged: Set<string>;
}

function commitIdsOf(history: readonly HistoryEvent[]): ReadonlyMap<string, CommitIds> {
  const sessions = new Map<string, CommitIds>();
  const calls = new Map<string, { readonly ids: CommitIds; readonly commitId: string }>();
  for (const event of history) {
    const name = `${event.process}#${event.call}`;
    if (event.type === "invoke" && event.action.kind === "append" && event.action.commitId !== undefined) {
      const ids = sessions.get(event.session) ?? { sent: new Set(), acknowledged: new Set() };
      sessions.set(event.session, ids);
      ids.sent.add(event.action.commitId);
      calls.set(name, { ids, commitId: event.action.commitId });
    }
    const call = event.type === "ok" ? calls.get(name) : undefined;
    call?.ids.acknowledged.add(call.commitId);
  }
  return sessions;
}

function miscounted(session: string, applied: number, ids: CommitIds | undefined): Finding[] {
  const [least, most] = [ids?.acknowledged.size ?? 0, ids?.sent.size ?? 0];
  const detail = `${applied} commits counted; ${least} commit ids were acknowledged and ${most} were sent`;
  if (applied < least) return [{ kind: "lost", session, detail }];
  return applied > most ? [{ kind: "doubled", session, detail }] : [];
}
