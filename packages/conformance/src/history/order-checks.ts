import { type AcceptedCommit, acceptedCommits, type Call, sentIds } from "./call.js";
import type { Violation } from "./history-event.js";

/**
 * There is one order of all messages. Every read shows a part of it, and appends follow each other by their revisions.
 *
 * Two neighbours in a read, and two consecutive appends, are an edge of a graph. One order exists exactly if the graph
 * has no cycle. Finding one takes time linear in the length of the log.
 */
export function checkOrder(session: string, calls: readonly Call[]): Violation[] {
  const edges = new Edges();
  const reads = calls.filter((call) => call.action.kind === "read" && call.outcome === "ok");
  for (const read of reads) edges.chain(read.result.ids ?? []);
  addAppends(edges, acceptedCommits(calls));
  addUnsureAppends(edges, calls, reads);
  const cycle = edges.cycle();
  if (cycle.length === 0) return [];
  const detail = `no single order fits what was read: ${cycle.map((id) => `"${id}"`).join(" before ")} is a cycle`;
  return [{ kind: "order", session, detail }];
}

/** An append comes after everything that was accepted before it; an insert only before the appends after it. */
function addAppends(edges: Edges, commits: readonly AcceptedCommit[]): void {
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

/** A message of an append of unknown outcome comes after the last message of every earlier whole read without it. */
function addUnsureAppends(edges: Edges, calls: readonly Call[], reads: readonly Call[]): void {
  const unsure = new Set(calls.filter(isUnsureAppend).flatMap((call) => sentIds(call.action)));
  // A restore may bring such a message back before the last message of an earlier read.
  const restored = calls.some(({ action, outcome }) => action.kind === "restore" && outcome !== "fail");
  if (unsure.size === 0 || restored) return;
  const located = reads.filter((read) => read.result.revision !== undefined && read.result.ids !== undefined);
  let end: string | undefined;
  for (const read of located.sort((a, b) => (a.result.revision ?? 0) - (b.result.revision ?? 0))) {
    for (const id of read.result.ids ?? []) {
      if (!unsure.delete(id)) continue;
      if (end !== undefined) edges.add(end, id);
    }
    // Not for a partial read: the message may come before those that it shows.
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

  /** The ids of one cycle; none if there is one order. */
  cycle(): readonly string[] {
    const ready = [...this.#incoming].filter(([, count]) => count === 0).map(([id]) => id);
    for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
      this.#incoming.delete(id);
      for (const next of this.#after.get(id) ?? []) {
        const left = (this.#incoming.get(next) ?? 0) - 1;
        this.#incoming.set(next, left);
        if (left === 0) ready.push(next);
      }
    }
    return this.#findCycle();
  }

  /** Every node that is left has a predecessor that is left, so going backwards from any of them closes a cycle. */
  #findCycle(): readonly string[] {
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
