import {
  equalJson,
  jsonify,
  type Message,
  type MessageInput,
  SessionError,
  type SessionStore,
  type Turn,
} from "@sessions/protocol";
import { type Handed, rebased } from "./rebased-history.js";

/** Where a rewritten history goes. */
export interface RewritePlace {
  readonly store: SessionStore;
  readonly turn: Turn;
  /** A revision that the agent's history is not older than: what others add from then on stays. */
  readonly base: number;
  /** The questions of this turn. They stay, whatever the agent leaves out. */
  readonly prompts: readonly Message[];
}

/** The history that an agent was handed, to be recognised when it comes back. */
export class HandedHistory {
  readonly #handed: readonly Handed[];
  readonly #byId: ReadonlyMap<string, Handed>;

  constructor(handed: readonly Handed[]) {
    this.#handed = handed;
    this.#byId = new Map(handed.map((one) => [one.stored.id, one]));
  }

  isOld(message: MessageInput): boolean {
    return message.id !== undefined && this.#byId.has(message.id);
  }

  /** What is new in a history that came back. What was changed in it is stored, on top of what others added meanwhile. */
  async rewrite(history: readonly MessageInput[], place: RewritePlace): Promise<readonly MessageInput[]> {
    const known = history.map((message, index) => this.#holder(message, index));
    const end = known.findLastIndex((one) => one !== undefined) + 1;
    const kept = history.slice(0, end).map((message, index) => restored(message, known[index]));
    const missing = place.prompts.filter(({ id }) => !kept.some((message) => message.id === id));
    const wanted = [...kept, ...missing];
    if (!this.#isUnchanged(wanted)) await this.#store(wanted, place);
    return history.slice(end);
  }

  /** By id, or, where a framework has stripped the ids, by place and words. */
  #holder(message: MessageInput, index: number): Handed | undefined {
    if (message.id !== undefined) return this.#byId.get(message.id);
    const held = this.#handed[index];
    const isSame = held?.shown.role === message.role && sameContent(held.shown.content, message.content);
    return isSame ? held : undefined;
  }

  #isUnchanged(wanted: readonly MessageInput[]): boolean {
    return (
      wanted.length === this.#handed.length &&
      wanted.every((message, index) => message === this.#handed[index]?.stored)
    );
  }

  async #store(wanted: readonly MessageInput[], { store, turn, base }: RewritePlace): Promise<void> {
    const { messages: live } = (await store.getSession(turn.sessionId)) ?? { messages: [] };
    const first = live.findIndex(({ id }) => this.#byId.has(id));
    // What was too old to be handed to the agent is not the agent's to leave out.
    const older = live.slice(0, Math.max(0, first));
    const own = wanted.filter((message) => !isSummary(message));
    const options = { base, fence: turn.token };
    const isStored = await isMerged(() => store.setChatHistory(turn.sessionId, [...older, ...own], options));
    if (!isStored) await this.#storeAgain(own, store, turn);
  }

  /** Somebody else has rewritten the history meanwhile: what the agent changed is done to what is there now. */
  async #storeAgain(own: readonly MessageInput[], store: SessionStore, turn: Turn): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const { messages: live, revision } = (await store.getSession(turn.sessionId)) ?? {
        messages: [],
        revision: 0,
      };
      const again = rebased(live, own, this.#byId);
      const options = { base: revision, fence: turn.token };
      const write = (): Promise<unknown> => store.setChatHistory(turn.sessionId, again, options);
      if (attempt === MAX_ATTEMPTS) return void (await write());
      if (await isMerged(write)) return;
    }
  }
}

/** A conflict between a read and the write right after it is rare; several in a row are a fault that has to be seen. */
const MAX_ATTEMPTS = 5;

async function isMerged(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (SessionError.is(error, "REVISION_CONFLICT")) return false;
    throw error;
  }
}

/** As it is stored, if the agent gave back what it was shown. */
function restored(message: MessageInput, held: Handed | undefined): MessageInput {
  if (held === undefined) return message;
  if (message === held.shown || sameContent(held.shown.content, message.content)) return held.stored;
  return { ...message, id: held.stored.id };
}

function sameContent(shown: Message["content"], given: unknown): boolean {
  return equalJson(shown ?? null, jsonify(given ?? null));
}

/** Made for the model, from an archive; it is no message of the session. */
function isSummary({ role, metadata }: MessageInput): boolean {
  return role === "system" && typeof metadata === "object" && metadata !== null && "archiveId" in metadata;
}
