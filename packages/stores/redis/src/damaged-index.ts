import type { ShardKeys } from "./keys.js";
import type { Notes } from "./notes.js";

/** Lists and watchers go on without the key; whoever commits a change that the index must be told of cannot. */
export function noteDamagedIndex(notes: Notes, { format }: ShardKeys): void {
  const part = format.slice(0, -":format".length);
  notes.take(
    `index ${part}`,
    `A key of the index (${part}:…) holds another type of value, written by another program. Lists and watchers take longer, and new sessions may be refused. Rename or remove the key, then run "sessions doctor --fix".`,
  );
}
