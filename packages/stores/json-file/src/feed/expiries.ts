/** When watched sessions expire. */
export class Expiries {
  readonly #byId = new Map<string, number>();
  /** No session expires before this. */
  #soonest = Number.POSITIVE_INFINITY;

  get soonest(): number {
    return this.#soonest;
  }

  note(id: string, expiresAt: number | undefined): void {
    if (expiresAt === undefined) this.#byId.delete(id);
    else {
      this.#byId.set(id, expiresAt);
      this.#soonest = Math.min(this.#soonest, expiresAt);
    }
  }

  /** The sessions that have expired. They are taken out. */
  due(now: number): readonly string[] {
    if (this.#soonest > now) return [];
    const due = [...this.#byId].filter(([, expiresAt]) => expiresAt <= now).map(([id]) => id);
    for (const id of due) this.#byId.delete(id);
    // One whose expiry was moved or removed has left a time at which nothing expires: here it is corrected.
    this.#soonest = Number.POSITIVE_INFINITY;
    for (const expiresAt of this.#byId.values()) this.#soonest = Math.min(this.#soonest, expiresAt);
    return due;
  }
}
