import type { ArchiveInfo, SessionSummary } from "@sessions/protocol";

/** The totals of a store, added up over its sessions. */
export class StoreStats {
  readonly counts = {
    sessions: 0,
    damaged: 0,
    messages: 0,
    archivedMessages: 0,
    archives: 0,
    pendingSummaries: 0,
    failedSummaries: 0,
    snapshots: 0,
    forks: 0,
    runningTurns: 0,
    expiredTurns: 0,
  };
  readonly #counters = new Map<string, number>();
  #oldest = Number.POSITIVE_INFINITY;
  #newest = 0;

  add({
    messageCount,
    archives,
    snapshots,
    parent,
    turn,
    counters,
    createdAt,
    updatedAt,
  }: SessionSummary): void {
    const { counts } = this;
    counts.sessions++;
    counts.messages += messageCount;
    counts.archives += archives.length;
    counts.archivedMessages += archives.reduce((sum, archive) => sum + archive.messageCount, 0);
    counts.pendingSummaries += withSummary(archives, "pending");
    counts.failedSummaries += withSummary(archives, "failed");
    counts.snapshots += snapshots.length;
    counts.forks += parent === undefined ? 0 : 1;
    counts.runningTurns += turn?.status === "running" ? 1 : 0;
    counts.expiredTurns += turn?.status === "expired" ? 1 : 0;
    for (const [name, value] of Object.entries(counters))
      this.#counters.set(name, (this.#counters.get(name) ?? 0) + value);
    this.#oldest = Math.min(this.#oldest, createdAt);
    this.#newest = Math.max(this.#newest, updatedAt);
  }

  /** A session that cannot be read: nothing else is known of it. */
  addDamaged(): void {
    this.counts.damaged++;
  }

  /** The sums of the counters of all sessions. */
  get counters(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counters);
  }

  /** When the oldest session was created and the newest was updated. Empty without sessions. */
  get times(): { readonly oldest?: number; readonly newest?: number } {
    return this.counts.sessions === 0 ? {} : { oldest: this.#oldest, newest: this.#newest };
  }
}

function withSummary(archives: readonly ArchiveInfo[], status: ArchiveInfo["summary"]["status"]): number {
  return archives.filter(({ summary }) => summary.status === status).length;
}
