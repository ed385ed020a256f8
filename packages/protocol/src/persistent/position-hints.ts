/**
 * The positions at which each id has ever been. They are only added to, and shared by all lists that grew from one another.
 * Each list checks a hint against its own items, so a hint that is wrong for one list does no harm.
 */
export class PositionHints {
  // Nearly every id has one position. The array is for ids that were moved.
  readonly #positions = new Map<string, number | number[]>();
  /** Generated ids ascend, so most new ids need no lookup. */
  #greatest = "";

  /** The number of ids, of all lists together. */
  get size(): number {
    return this.#positions.size;
  }

  /** The position of the id for which `holds` is true. */
  find(id: string, holds: (position: number) => boolean): number | undefined {
    if (id > this.#greatest) return undefined;
    const positions = this.#positions.get(id);
    if (positions === undefined) return undefined;
    if (typeof positions === "number") return holds(positions) ? positions : undefined;
    return positions.find(holds);
  }

  /** Adds a position, and returns how many the id has now. */
  add(id: string, position: number): number {
    const isGreatest = id > this.#greatest;
    if (isGreatest) this.#greatest = id;
    const positions = isGreatest ? undefined : this.#positions.get(id);
    if (positions === undefined || positions === position) {
      this.#positions.set(id, position);
      return 1;
    }
    if (typeof positions === "number") {
      this.#positions.set(id, [positions, position]);
      return 2;
    }
    return positions.includes(position) ? positions.length : positions.push(position);
  }
}
