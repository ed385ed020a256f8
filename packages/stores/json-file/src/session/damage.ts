/** Damage: a line that should count and does not. */
export class Damage extends Error {
  readonly offset: number;
  /** The segment that it is in, where that is known. */
  path?: string;

  constructor(offset: number, problem: string) {
    super(problem);
    this.offset = offset;
  }
}

/** A journal of a newer format. */
export class NewerJournal extends Error {
  readonly version: number;

  constructor(version: number) {
    super(`journal format ${version}`);
    this.version = version;
  }
}
