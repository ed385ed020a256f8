import {
  equalJson,
  jsonify,
  type Message,
  type MessageInput,
  type Session,
  SessionError,
  type Turn,
} from "@sessions/protocol/integration";
import { patiently } from "../retry-call.js";
import type { Settings } from "../settings.js";
import { type Handed, rebased } from "./rebase-history.js";

/** Where a rewritten history goes. */
export interface RewritePlace {
  readonly settings: Settings;
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
  readonly #asked: readonly Handed[];

  constructor(handed: readonly Handed[], prompts: readonly Message[]) {
    this.#handed = handed;
    this.#byId = new Map(handed.map((one) => [one.stored.id, one]));
    this.#asked = handed.filter(({ stored }) => prompts.some(({ id }) => id === stored.id));
  }

  /** Whether messages that an agent returned are a history: a question of this turn is in it, or any message by its id. */
  isHistory(given: readonly MessageInput[]): boolean {
    return given.some((message) => this.#isOld(message) || this.#isAsked(message));
  }

  /** What is new in a history that came back. What was changed in it is stored, on top of what others added meanwhile. */
  async rewrite(history: readonly MessageInput[], place: RewritePlace): Promise<readonly MessageInput[]> {
    const known = this.#holders(history);
    const end = known.findLastIndex((one) => one !== undefined) + 1;
    const kept = history.slice(0, end).map((message, index) => restored(message, known[index]));
    const missing = place.prompts.filter(({ id }) => !kept.some((message) => message.id === id));
    const wanted = [...kept, ...missing];
    if (!this.#isUnchanged(wanted)) await this.#store(wanted, place);
    return history.slice(end);
  }

  #isOld(message: MessageInput): boolean {
    return message.id !== undefined && this.#byId.has(message.id);
  }

  #isAsked(message: MessageInput): boolean {
    return message.id === undefined && this.#asked.some((one) => isShownAs(one, message));
  }

  /**
   * By id, or, where a framework has stripped the ids, by order and words up to the question of this turn: what comes
   * behind it is new, also if it was said before. Without the question in it, by place and words.
   */
  #holders(history: readonly MessageInput[]): readonly (Handed | undefined)[] {
    const asked = history.findLastIndex((message) => this.#isAsked(message));
    let next = 0;
    return history.map((message, index) => {
      if (message.id !== undefined) return this.#byId.get(message.id);
      if (asked === -1) return this.#shownAt(index, message);
      if (index > asked) return undefined;
      const at = this.#handed.findIndex((one, place) => place >= next && isShownAs(one, message));
      if (at !== -1) next = at + 1;
      return this.#handed[at];
    });
  }

  #shownAt(index: number, message: MessageInput): Handed | undefined {
    const held = this.#handed[index];
    return held !== undefined && isShownAs(held, message) ? held : undefined;
  }

  #isUnchanged(wanted: readonly MessageInput[]): boolean {
    return (
      wanted.length === this.#handed.length &&
      wanted.every((message, index) => message === this.#handed[index]?.stored)
    );
  }

  async #store(wanted: readonly MessageInput[], { settings, turn, base }: RewritePlace): Promise<void> {
    const { messages: live } = await liveSession(settings, turn);
    const first = live.findIndex(({ id }) => this.#byId.has(id));
    // What was too old to be handed to the agent is not the agent's to leave out.
    const older = live.slice(0, Math.max(0, first));
    const own = wanted.filter((message) => !isSummary(message));
    const isStored = await isMerged(() => replaced(settings, turn, [...older, ...own], base));
    if (!isStored) await this.#storeAgain(own, settings, turn);
  }

  /** Somebody else has rewritten the history meanwhile: what the agent changed is done to what is there now. */
  async #storeAgain(own: readonly MessageInput[], settings: Settings, turn: Turn): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const { messages: live, revision } = await liveSession(settings, turn);
      const again = rebased(live, own, this.#byId);
      const write = (): Promise<unknown> => replaced(settings, turn, again, revision);
      if (attempt === MAX_ATTEMPTS) return void (await write());
      if (await isMerged(write)) return;
    }
  }
}

/** A conflict between a read and the write right after it is rare; several in a row are a fault that has to be seen. */
const MAX_ATTEMPTS = 5;

async function liveSession(
  settings: Settings,
  { sessionId }: Turn,
): Promise<Pick<Session, "messages" | "revision">> {
  const session = await patiently(settings, () => settings.store.getSession(sessionId));
  return session ?? { messages: [], revision: 0 };
}

/** A conflict is not tried again here: it takes another plan. */
function replaced(
  settings: Settings,
  { sessionId, token }: Turn,
  messages: readonly MessageInput[],
  base: number,
): Promise<unknown> {
  return settings.store.setChatHistory(sessionId, messages, { base, fence: token });
}

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

function isShownAs({ shown }: Handed, message: MessageInput): boolean {
  return shown.role === message.role && sameContent(shown.content, message.content);
}

function sameContent(shown: Message["content"], given: unknown): boolean {
  return equalJson(shown ?? null, jsonify(given ?? null));
}

/** Made for the model, from an archive; it is no message of the session. */
function isSummary({ role, metadata }: MessageInput): boolean {
  return role === "system" && typeof metadata === "object" && metadata !== null && "archiveId" in metadata;
}
