/**
 * Where items with an id have ever stood. Only ever added to, and shared by all lists that grew from one another: each
 * list checks a hint against its own items, so that a hint which is not true of it does no harm.
 */
export class PositionHints {
  // Nearly every id has one place in its life; the array is for those that were moved.
  readonly #places = new Map<string, number | number[]>();
  /** Generated ids rise, so that most new ones need not be looked for at all. */
  #greatest = "";

  /** How many ids are in it, of this list or another. */
  get size(): number {
    return this.#places.size;
  }

  /** The one place that holds, of those where the id has been. */
  find(id: string, holds: (position: number) => boolean): number | undefined {
    if (id > this.#greatest) return undefined;
    const places = this.#places.get(id);
    if (places === undefined) return undefined;
    if (typeof places === "number") return holds(places) ? places : undefined;
    return places.find(holds);
  }

  /** Adds a place. Returns how many there are now for this id. */
  add(id: string, position: number): number {
    const isGreatest = id > this.#greatest;
    if (isGreatest) this.#greatest = id;
    const places = isGreatest ? undefined : this.#places.get(id);
    if (places === undefined || places === position) {
      this.#places.set(id, position);
      return 1;
    }
    if (typeof places === "number") {
      this.#places.set(id, [places, position]);
      return 2;
    }
    return places.includes(position) ? places.length : places.push(position);
  }
}
