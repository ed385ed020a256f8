import type { History, LiveState, Memory, Remembered, SessionState } from "@sessions/protocol/backend";

// Sizes on a 64-bit machine, a little too large rather than too small.

/** What a session takes in memory beside its messages: the state, its file, its place in caches. */
const SESSION_BYTES = 4096;
const OBJECT_BYTES = 32;
const PROPERTY_BYTES = 8;
const STRING_BYTES = 24;
const NUMBER_BYTES = 8;
/** A remembered commit id or turn id. */
const REMEMBERED_BYTES = 176;
/** A message's place in the history and in the index of ids. */
const MESSAGE_BYTES = 64;

/** About how many bytes of memory the state of a session takes. Measuring walks over all messages, so it is done rarely. */
export class StateWeight {
  #measured = 0;
  /** The length of the journal when it was measured. */
  #measuredAt = 0;

  /** Measures again when the journal has grown by half of the weight; before that, the journal's growth is added. */
  of(state: SessionState | undefined, journalBytes: number): number {
    const growth = journalBytes - this.#measuredAt;
    if (this.#measured > 0 && growth < this.#measured / 2) return this.#measured + growth;
    this.#measured = SESSION_BYTES + weightOf(state);
    this.#measuredAt = journalBytes;
    return this.#measured;
  }
}

function weightOf(state: SessionState | undefined): number {
  if (state === undefined) return 0;
  const commits = rememberedBytes(state.commits.given) + rememberedBytes(state.commits.generated);
  return state.status === "live" ? commits + liveBytes(state) : commits;
}

function liveBytes({ history, snapshots, labels, metadata, counters, finishedTurns }: LiveState): number {
  const ofSnapshots = snapshots.reduce((sum, snapshot) => sum + ownBytes(snapshot.history, history), 0);
  const fields = jsonBytes(labels) + jsonBytes(metadata) + jsonBytes(counters);
  return historyBytes(history) + ofSnapshots + fields + rememberedBytes(finishedTurns);
}

function historyBytes({ messages }: History): number {
  return messages.slice().reduce((sum, message) => sum + MESSAGE_BYTES + jsonBytes(message), 0);
}

/** The messages that a snapshot does not share with the present history. */
function ownBytes({ messages }: History, present: History): number {
  if (messages === present.messages) return 0;
  let sum = 0;
  for (const [index, message] of messages.slice().entries())
    if (present.messages.get(index) !== message) sum += MESSAGE_BYTES + jsonBytes(message);
  return sum;
}

function rememberedBytes<Entry extends Remembered>(memory: Memory<Entry>): number {
  return memory.toDocument().entries.length * REMEMBERED_BYTES;
}

/** Strings count as in UTF-8: exact for ASCII, at most half too much for other scripts. */
function jsonBytes(value: unknown): number {
  if (typeof value === "string") return STRING_BYTES + Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return NUMBER_BYTES;
  let sum = OBJECT_BYTES;
  for (const inner of Object.values(value)) sum += PROPERTY_BYTES + jsonBytes(inner);
  return sum;
}
