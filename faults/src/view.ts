import type { SessionStore } from "@sessions/protocol";

/** Fields that differ between two runs, or between two orders of the same commits. */
const LEFT_OUT = new Set(["incarnation", "token", "commits", "finishedTurns", "revisions", "renewals"]);

/** The contents of a store as text: equal contents give equal text. */
export async function viewOf(store: SessionStore): Promise<string> {
  const sessions: unknown[] = [];
  const ids: string[] = [];
  for await (const { id } of store.listSessions()) ids.push(id);
  for (const id of ids.sort()) {
    const { session } = await store.exportSession(id);
    const { turn } = (await store.getSession(id, { messages: "none" })) ?? {};
    const { ok } = await store.verify(id);
    sessions.push(withoutNames({ id, session, turnId: turn?.turnId, ok }, archiveNames(session.archives)));
  }
  return JSON.stringify(sessions, null, 1);
}

/** The result of a read as text, for comparison. */
export function textOfResult(result: unknown): string {
  return JSON.stringify(withoutNames(result, new Map())) ?? "undefined";
}

function archiveNames(archives: readonly { readonly id: string }[]): ReadonlyMap<string, string> {
  return new Map(archives.map(({ id }, index) => [id, `archive ${index + 1}`]));
}

/** Concurrent calls may be applied in any order, so messages are compared as a set. */
function withoutNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => withoutNames(item, names));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key));
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNames(sorted(key, inner), names)]));
}

function sorted(key: string, value: unknown): unknown {
  if (key !== "messages" || !Array.isArray(value)) return value;
  return value.toSorted((a, b) => String(a.id).localeCompare(String(b.id)));
}
