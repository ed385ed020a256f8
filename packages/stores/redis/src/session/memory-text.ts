import { type CommitMemory, Damage, parseStored, type TurnMemory } from "@sessions/protocol/backend";

/** A commit whose id a caller chose is remembered as JSON. */
export function givenText(memory: CommitMemory): string {
  return JSON.stringify(memory);
}

/** One with a generated id: `<revision> <time>`, and what it skipped as JSON. */
export function generatedText({ revision, at, skipped }: CommitMemory): string {
  return `${revision} ${at}${skipped === undefined ? "" : ` ${JSON.stringify(skipped)}`}`;
}

export function readGivenCommit(text: string, location: string): CommitMemory | undefined {
  return text.startsWith("{") ? parseStored<CommitMemory>(text, location) : undefined;
}

export function readGeneratedCommit(id: string, text: string, location: string): CommitMemory | undefined {
  if (text.startsWith("{")) return undefined;
  const [revision = "", at = "", ...skipped] = text.split(" ");
  const memory = { id, revision: Number(revision), at: Number(at) };
  if (revision === "" || at === "" || Number.isNaN(memory.revision + memory.at))
    throw new Damage(location, `is "${text.slice(0, 20)}", which is no memory of a commit`);
  return skipped.length === 0 ? memory : { ...memory, skipped: parseStored(skipped.join(" "), location) };
}

export function readTurn(text: string, location: string): TurnMemory {
  return parseStored<TurnMemory>(text, location);
}
