import type { Ticket, TurnState } from "../../backend/session-record.js";
import type { CommitMemory, MemoryDocument, SessionDocument } from "../../session/session-document.js";
import { TwoGenerationMemory } from "../memory/two-generation-memory.js";
import type { LiveState, SessionState, Tombstone } from "../session-state.js";
import { documentOf } from "./document-of.js";
import { stateOf } from "./state-of.js";

/** A live session as plain data, with what a document omits: the turn and the generated commit ids. */
interface LiveImage {
  readonly status: "live";
  readonly document: SessionDocument;
  readonly turn?: TurnState;
  readonly queue: readonly Ticket[];
  readonly generated: MemoryDocument<CommitMemory>;
}

/** A tombstone as plain data. */
interface TombstoneImage {
  readonly status: "deleted";
  readonly revision: number;
  readonly deletedAt: number;
  readonly given: MemoryDocument<CommitMemory>;
  readonly generated: MemoryDocument<CommitMemory>;
}

/** A whole state as plain data, for stores that write whole states instead of commits. */
export type StateImage = LiveImage | TombstoneImage;

export function imageOf(state: SessionState): StateImage {
  const generated = state.commits.generated.toDocument();
  if (state.status === "live") {
    const { turn, queue } = state;
    return { status: "live", document: documentOf(state), ...(turn && { turn }), queue, generated };
  }
  const { revision, deletedAt } = state;
  return { status: "deleted", revision, deletedAt, given: state.commits.given.toDocument(), generated };
}

/** The state of an image. Commits have the same outcomes on it as on the original state. */
export function stateOfImage(image: StateImage): SessionState {
  return image.status === "live" ? liveState(image) : tombstone(image);
}

function liveState({ document, turn, queue, generated }: LiveImage): LiveState {
  const commits = {
    given: TwoGenerationMemory.from(document.commits),
    generated: TwoGenerationMemory.from(generated),
  };
  return { ...stateOf(document), ...(turn && { turn }), queue, commits };
}

function tombstone({ revision, deletedAt, given, generated }: TombstoneImage): Tombstone {
  const commits = { given: TwoGenerationMemory.from(given), generated: TwoGenerationMemory.from(generated) };
  return { status: "deleted", revision, deletedAt, commits };
}
