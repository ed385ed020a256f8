import {
  equalJson,
  jsonify,
  type Message,
  type MessageInput,
  type SessionStore,
  type Turn,
} from "@sessions/protocol";

/** A message as it is stored, and as the agent saw it. */
export interface Handed {
  readonly stored: Message;
  readonly shown: Message;
}

/** Where a rewritten history goes. */
export interface RewritePlace {
  readonly store: SessionStore;
  readonly turn: Turn;
  /** The revision that the agent's history was read after: what others add from then on stays. */
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
    await store.setChatHistory(turn.sessionId, [...older, ...own], { base, fence: turn.token });
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
