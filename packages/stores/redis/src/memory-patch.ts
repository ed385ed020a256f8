import type { SessionState } from "@sessions/protocol/backend";
import { memoryChangesOf } from "@sessions/row-engine";
import { commitField, generatedText, givenText } from "./memory-source.js";
import type { Moment } from "./moment.js";
import type { MemoryText, Pair, Patch } from "./patch.js";

interface MemoryPatch extends Pick<Patch, "given" | "givenHorizon" | "windowDropped"> {
  /** Fields of the session or of its window. */
  readonly generated: readonly Pair[];
}

/** What has to be remembered of commits. */
export function memoryPatch({ lookups, window }: Moment, { commits }: SessionState): MemoryPatch {
  const given = memoryChangesOf(commits.given);
  const generated = memoryChangesOf(commits.generated).added.flatMap((memory): readonly Pair[] => [
    [commitField(memory.id), generatedText(memory)],
    [`b${memory.revision}`, `${memory.at} ${memory.id}`],
  ]);
  const added = given.added.map((memory): MemoryText => [memory.id, String(memory.at), givenText(memory)]);
  if (given.source !== undefined)
    return { given: added, generated, givenHorizon: undefined, windowDropped: [] };
  const kept = new Set(given.added.map(({ id }) => id));
  const old = window === undefined ? [] : (lookups.given ?? []);
  const windowDropped = old.filter(({ id }) => !kept.has(id)).map(({ id }) => commitField(id));
  return { given: added, generated, givenHorizon: given.horizon, windowDropped };
}
