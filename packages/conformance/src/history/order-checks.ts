import { type AcceptedCommit, acceptedCommits, type Call, sentIds } from "./call.js";
import type { Violation } from "./history-event.js";

/**
 * There is one order of all messages that every reader saw a part of, and appends stand in it by their revisions.
 *
 * Each neighbourhood in a read and each pair of consecutive appends is an edge; one order exists exactly if these
 * edges make no circle, which costs as much as the log is long.
 */
export function checkOrder(session: string, calls: readonly Call[]): Violation[] {
  const edges = new Edges();
  const reads = calls.filter((call) => call.action.kind === "read" && call.outcome === "ok");
  for (const read of reads) edges.chain(read.result.ids ?? []);
  appendedAtTheEnd(edges, acceptedCommits(calls));
  appearedLater(edges, calls, reads);
  const circle = edges.circle();
  if (circle.length === 0) return [];
  const detail = `no one order fits what was read: ${circle.map((id) => `"${id}"`).join(" before ")} in a circle`;
  return [{ kind: "order", session, detail }];
}

/** An append comes after everything that was accepted before it; an insert only before the appends after it. */
function appendedAtTheEnd(edges: Edges, commits: readonly AcceptedCommit[]): void {
  let appended: string | undefined;
  let inserted: string[] = [];
  for (const commit of commits) {
    const ids = sentIds(commit.action);
    const [first] = ids;
    const last = ids.at(-1);
    if (first === undefined || last === undefined) continue;
    edges.chain(ids);
    if (commit.action.kind === "insert") {
      inserted.push(last);
      continue;
    }
    for (const before of appended === undefined ? inserted : [...inserted, appended])
      edges.add(before, first);
    inserted = [];
    appended = last;
  }
}

/** What an append of unknown outcome added comes after all that an earlier read, which did not show it, ended with. */
function appearedLater(edges: Edges, calls: readonly Call[], reads: readonly Call[]): void {
  const unsure = new Set(calls.filter(isUnsureAppend).flatMap((call) => sentIds(call.action)));
  // A restore may bring back what was there long before the end that an earlier read saw.
  const restored = calls.some(({ action, outcome }) => action.kind === "restore" && outcome !== "fail");
  if (unsure.size === 0 || restored) return;
  const known = reads.filter((read) => read.result.revision !== undefined && read.result.ids !== undefined);
  let end: string | undefined;
  for (const read of known.sort((a, b) => (a.result.revision ?? 0) - (b.result.revision ?? 0))) {
    for (const id of read.result.ids ?? []) {
      if (!unsure.delete(id)) continue;
      if (end !== undefined) edges.add(end, id);
    }
    // Not of a partial read: what it does not show may stand before what it does.
    if (read.action.kind === "read" && read.action.partial !== true) end = read.result.ids?.at(-1) ?? end;
  }
}

function isUnsureAppend(call: Call): boolean {
  return call.outcome === "unknown" && (call.action.kind === "append" || call.action.kind === "end-turn");
}

class Edges {
  readonly #after = new Map<string, string[]>();
  readonly #incoming = new Map<string, number>();

  chain(ids: readonly string[]): void {
    ids.forEach((id, index) => {
      const next = ids[index + 1];
      if (next !== undefined) this.add(id, next);
    });
  }

  add(before: string, after: string): void {
    const list = this.#after.get(before);
    if (list === undefined) this.#after.set(before, [after]);
    else list.push(after);
    this.#incoming.set(after, (this.#incoming.get(after) ?? 0) + 1);
    if (!this.#incoming.has(before)) this.#incoming.set(before, 0);
  }

  /** Some ids that stand in a circle; none if there is one order. */
  circle(): readonly string[] {
    const ready = [...this.#incoming].filter(([, count]) => count === 0).map(([id]) => id);
    for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
      this.#incoming.delete(id);
      for (const next of this.#after.get(id) ?? []) {
        const left = (this.#incoming.get(next) ?? 0) - 1;
        this.#incoming.set(next, left);
        if (left === 0) ready.push(next);
      }
    }
    return this.#walk();
  }

  /** What is left leads back to itself: backwards from any of it, a circle must close. */
  #walk(): readonly string[] {
    const before = new Map<string, string>();
    for (const id of this.#incoming.keys()) {
      for (const next of this.#after.get(id) ?? []) if (this.#incoming.has(next)) before.set(next, id);
    }
    const path: string[] = [];
    const seen = new Set<string>();
    for (let [id] = before.keys(); id !== undefined; id = before.get(id)) {
      path.unshift(id);
      if (seen.has(id)) return path.slice(0, path.lastIndexOf(id) + 1);
      seen.add(id);
    }
    return path;
  }
}
