import type { CommitMemory, TurnMemory } from "@sessions/protocol/backend";
import { parseStored } from "@sessions/protocol/backend";
import type { MemorySource } from "@sessions/row-engine";

/** Marks in front of what is remembered: commits with ids that callers chose, and with generated ones. */
const GIVEN = "a";
const GENERATED = "b";

/** The fields that memories are under. */
export const commitField = (id: string): string => `C${id}`;
export const turnField = (id: string): string => `T${id}`;

/** What a source asks of the moment that it was read in; both throw `Missing`. */
export interface Remembering<Entry> {
  /** What is stored of an id. */
  readonly find: (id: string) => string | undefined;
  readonly all: () => readonly Entry[];
  readonly horizon: number;
}

export function givenText(memory: CommitMemory): string {
  return GIVEN + JSON.stringify(memory);
}

export function generatedText({ revision, at, skipped }: CommitMemory): string {
  return `${GENERATED}${revision} ${at}${skipped === undefined ? "" : ` ${JSON.stringify(skipped)}`}`;
}

export function parseGiven(text: string, location: string): CommitMemory | undefined {
  return text.startsWith(GIVEN) ? parseStored<CommitMemory>(text.slice(1), location) : undefined;
}

function parseGenerated(id: string, text: string, location: string): CommitMemory | undefined {
  if (!text.startsWith(GENERATED)) return undefined;
  const [revision = "", at = "", ...skipped] = text.slice(1).split(" ");
  const memory = { id, revision: Number(revision), at: Number(at) };
  return skipped.length === 0 ? memory : { ...memory, skipped: parseStored(skipped.join(" "), location) };
}

/** Commits whose ids callers chose. */
export class GivenCommits implements MemorySource<CommitMemory> {
  readonly #remembering: Remembering<CommitMemory>;

  constructor(remembering: Remembering<CommitMemory>) {
    this.#remembering = remembering;
  }

  get horizon(): number {
    return this.#remembering.horizon;
  }

  get(id: string): CommitMemory | undefined {
    const text = this.#remembering.find(id);
    return text === undefined ? undefined : parseGiven(text, commitField(id));
  }

  entries(): readonly CommitMemory[] {
    return this.#remembering.all();
  }
}

/** Commits with generated ids. */
export class GeneratedCommits implements MemorySource<CommitMemory> {
  readonly #remembering: Remembering<CommitMemory>;

  constructor(remembering: Remembering<CommitMemory>) {
    this.#remembering = remembering;
  }

  get horizon(): number {
    return this.#remembering.horizon;
  }

  get(id: string): CommitMemory | undefined {
    const text = this.#remembering.find(id);
    return text === undefined ? undefined : parseGenerated(id, text, commitField(id));
  }

  entries(): readonly CommitMemory[] {
    return this.#remembering.all();
  }
}

/** Turns that have finished. */
export class FinishedTurns implements MemorySource<TurnMemory> {
  readonly #remembering: Remembering<TurnMemory>;

  constructor(remembering: Remembering<TurnMemory>) {
    this.#remembering = remembering;
  }

  get horizon(): number {
    return this.#remembering.horizon;
  }

  get(id: string): TurnMemory | undefined {
    const text = this.#remembering.find(id);
    return text === undefined ? undefined : parseStored<TurnMemory>(text, turnField(id));
  }

  entries(): readonly TurnMemory[] {
    return this.#remembering.all();
  }
}
