import { type AcceptedCommit, acceptedCommits, type Call, describeCall, sentIds } from "./call.js";
import type { HistoryAction, Violation, ViolationKind } from "./history-event.js";

/** Acknowledged messages are there once; refused, removed and never sent ones are not there. */
export function checkPresence(session: string, calls: readonly Call[]): Violation[] {
  return new ContentChecker(session, calls).check();
}

interface Read extends Call {
  readonly ids: readonly string[];
  readonly revision: number | undefined;
}

/** Folds the acknowledged commits in the order of their revisions, and compares each read with the state at its revision. */
class ContentChecker {
  readonly #session: string;
  readonly #reads: readonly Read[];
  readonly #senders = new Map<string, Call[]>();
  /** Removals without a known revision: they may explain why a message is absent. */
  readonly #unorderedRemovals: readonly Call[];
  /** Acknowledged commits and duplicates, in the order of their revisions. */
  readonly #acknowledged: readonly AcceptedCommit[];
  readonly #present = new Map<string, number>();
  readonly #removed = new Map<string, number>();
  readonly #violations: Violation[] = [];
  #folded = 0;

  constructor(session: string, calls: readonly Call[]) {
    this.#session = session;
    this.#reads = readsOf(calls);
    this.#acknowledged = [...acceptedCommits(calls), ...duplicates(calls)].sort(
      (a, b) => a.revision - b.revision,
    );
    this.#unorderedRemovals = calls.filter(isUnorderedRemoval);
    for (const call of calls) for (const id of sentIds(call.action)) this.#addSender(id, call);
  }

  check(): Violation[] {
    this.#checkCommitIds();
    for (const read of this.#reads) {
      if (read.revision === undefined) this.#checkAbsent(read);
      else this.#checkAtRevision(read, read.revision);
    }
    return this.#violations;
  }

  #addSender(id: string, call: Call): void {
    const senders = this.#senders.get(id);
    if (senders === undefined) this.#senders.set(id, [call]);
    else senders.push(call);
  }

  #checkCommitIds(): void {
    const applied = new Set<string>();
    for (const { action, result } of this.#acknowledged) {
      if (!("commitId" in action) || action.commitId === undefined || result.duplicate === true) continue;
      if (applied.has(action.commitId))
        this.#report("doubled", `commit id "${action.commitId}" was applied twice`);
      applied.add(action.commitId);
    }
  }

  /** An absent session has no revision, so the read is compared by time. */
  #checkAbsent(read: Read): void {
    for (const commit of this.#acknowledged) {
      if (commit.endedAt >= read.invokedAt) continue;
      const lost = sentIds(commit.action).filter((id) => !this.#mayBeRemoved(id, read));
      if (lost.length === 0) continue;
      this.#report(
        "lost",
        `a ${describeCall(read)} finds no session; ${describeCall(commit)} had been acknowledged`,
      );
      return;
    }
  }

  #checkAtRevision(read: Read, revision: number): void {
    this.#foldThrough(revision);
    this.#checkExtra(read, revision);
    if (read.action.kind === "read" && read.action.partial !== true) this.#checkMissing(read);
  }

  #foldThrough(revision: number): void {
    for (let next = this.#acknowledged[this.#folded]; next !== undefined && next.revision <= revision; ) {
      this.#fold(next);
      next = this.#acknowledged[++this.#folded];
    }
  }

  #fold(commit: AcceptedCommit): void {
    for (const id of sentIds(commit.action)) {
      if (!this.#removed.has(id) && !this.#present.has(id)) this.#present.set(id, commit.revision);
    }
    if (commit.result.duplicate === true) return;
    for (const id of removedIds(commit.action, this.#present)) this.#markRemoved(id, commit.revision);
    if (commit.action.kind === "restore")
      for (const id of commit.action.ids) this.#markPresent(id, commit.revision);
  }

  #markPresent(id: string, revision: number): void {
    this.#removed.delete(id);
    this.#present.set(id, revision);
  }

  #markRemoved(id: string, revision: number): void {
    this.#present.delete(id);
    this.#removed.set(id, revision);
  }

  #checkExtra(read: Read, revision: number): void {
    const seen = new Set<string>();
    for (const id of read.ids) {
      if (seen.has(id)) this.#report("doubled", `message "${id}" is twice in a ${describeCall(read)}`);
      seen.add(id);
      this.#checkSource(id, read, revision);
      if (this.#removed.has(id) && !this.#mayBeRestored(id, read))
        this.#report("resurrected", `message "${id}" was gone and is in a ${describeCall(read)}`);
    }
  }

  #checkSource(id: string, read: Read, revision: number): void {
    const sent = (this.#senders.get(id) ?? []).filter((call) => call.invokedAt <= read.endedAt);
    if (sent.length === 0)
      this.#report("invented", `message "${id}" in a ${describeCall(read)} was never sent before`);
    else if (sent.every((call) => call.outcome === "fail")) {
      this.#report(
        "invented",
        `message "${id}" in a ${describeCall(read)} was refused with ${sent[0]?.code}`,
      );
    } else if (sent.every((call) => isLater(call, revision))) {
      this.#report(
        "revision",
        `message "${id}" is in a read of revision ${revision}, which is before its own`,
      );
    }
  }

  #checkMissing(read: Read): void {
    const seen = new Set(read.ids);
    let found = 0;
    for (const id of seen) if (this.#present.has(id)) found++;
    if (found === this.#present.size) return;
    for (const [id, revision] of [...this.#present]) {
      if (seen.has(id)) continue;
      if (!this.#mayBeRemoved(id, read)) {
        this.#report(
          "lost",
          `message "${id}" of revision ${revision} is not in a ${describeCall(read)} of revision ${read.revision}`,
        );
      }
      this.#markRemoved(id, revision); // reported once
    }
  }

  /** Whether a removal of unknown revision or outcome can have removed the message before the read ended. */
  #mayBeRemoved(id: string, read: Read): boolean {
    const sentAt = Math.min(...(this.#senders.get(id) ?? []).map((call) => call.invokedAt));
    return this.#unorderedRemovals.some(
      (call) => mayRemove(call, id) && call.invokedAt <= read.endedAt && sentAt <= call.endedAt,
    );
  }

  /** Whether a restore of unknown outcome can have restored the message before the read ended. */
  #mayBeRestored(id: string, read: Read): boolean {
    return this.#unorderedRemovals.some(
      ({ action, invokedAt }) =>
        action.kind === "restore" && action.ids.includes(id) && invokedAt <= read.endedAt,
    );
  }

  #report(kind: ViolationKind, detail: string): void {
    this.#violations.push({ kind, session: this.#session, detail });
  }
}

/** Reads in the order of their revisions. */
function readsOf(calls: readonly Call[]): readonly Read[] {
  const reads = calls.filter((call) => call.action.kind === "read" && call.outcome === "ok");
  const shown = reads.map((call) => ({
    ...call,
    ids: call.result.ids ?? [],
    revision: call.result.revision,
  }));
  return shown.sort((a, b) => (a.revision ?? 0) - (b.revision ?? 0) || a.endedAt - b.endedAt);
}

/** Acknowledged duplicates, with the revision of the first commit. */
function duplicates(calls: readonly Call[]): readonly AcceptedCommit[] {
  return calls.flatMap((call) => {
    const { revision, duplicate } = call.result;
    return call.outcome === "ok" && duplicate === true && revision !== undefined
      ? [{ ...call, revision }]
      : [];
  });
}

function isUnorderedRemoval(call: Call): boolean {
  const { action } = call;
  const removes =
    action.kind === "remove" ||
    action.kind === "restore" ||
    (action.kind === "insert" && action.removes !== undefined);
  if (!removes || call.outcome === "fail") return false;
  return call.outcome === "unknown" || call.result.revision === undefined;
}

/** Which of the present messages a commit removes. */
function removedIds(action: HistoryAction, present: ReadonlyMap<string, number>): readonly string[] {
  if (action.kind === "remove") return action.ids === "all" ? [...present.keys()] : action.ids;
  if (action.kind === "insert") return action.removes ?? [];
  if (action.kind !== "restore") return [];
  const restored = new Set(action.ids);
  return [...present.keys()].filter((id) => !restored.has(id));
}

function mayRemove({ action }: Call, id: string): boolean {
  if (action.kind === "restore") return !action.ids.includes(id);
  if (action.kind === "insert") return action.removes?.includes(id) === true;
  return action.kind === "remove" && (action.ids === "all" || action.ids.includes(id));
}

/** Whether a call can only have taken effect after `revision`, or not at all. */
function isLater(call: Call, revision: number): boolean {
  if (call.outcome === "fail") return true;
  if (call.outcome === "unknown" || call.result.revision === undefined || call.result.duplicate === true)
    return false;
  return call.result.revision > revision;
}
