import {
  equalJson,
  jsonify,
  type Message,
  type MessageInput,
  type Session,
  SessionError,
  type Turn,
} from "@sessions/protocol/integration";
import { isFields, leaseRetryPolicy, retry } from "@sessions/turn-runner";
import type { Settings } from "../settings.js";
import { rebaseHistory, type ShownMessage } from "./rebase-history.js";

/** Where a rewritten history is stored. */
export interface RewriteTarget {
  readonly settings: Settings;
  readonly turn: Turn;
  /** A revision that the agent's history is not older than: messages that others add after it stay. */
  readonly base: number;
  /** The prompts of this turn. They stay, even if the agent leaves them out. */
  readonly prompts: readonly Message[];
}

/** The history that an agent got. Recognizes its messages when the agent returns them. */
export class ShownHistory {
  readonly #entries: readonly ShownMessage[];
  readonly #byId: ReadonlyMap<string, ShownMessage>;
  readonly #prompts: readonly ShownMessage[];

  constructor(entries: readonly ShownMessage[], prompts: readonly Message[]) {
    this.#entries = entries;
    this.#byId = new Map(entries.map((one) => [one.stored.id, one]));
    this.#prompts = entries.filter(({ stored }) => prompts.some(({ id }) => id === stored.id));
  }

  /** The messages as the agent sees them. */
  get messages(): readonly Message[] {
    return this.#entries.map((one) => one.shown);
  }

  /** Whether returned messages are a history: they contain a prompt of this turn, or any shown message by its id. */
  isHistory(returned: readonly MessageInput[]): boolean {
    return returned.some((message) => this.#isShown(message) || this.#isPrompt(message));
  }

  /** Stores the changes of a returned history, on top of what others added meanwhile. Returns its new messages. */
  async rewrite(history: readonly MessageInput[], target: RewriteTarget): Promise<readonly MessageInput[]> {
    const entries = this.#recognize(history);
    const end = entries.findLastIndex((one) => one !== undefined) + 1;
    const kept = history.slice(0, end).map((message, index) => restored(message, entries[index]));
    const missing = target.prompts.filter(({ id }) => !kept.some((message) => message.id === id));
    const rewritten = [...kept, ...missing];
    if (!this.#isUnchanged(rewritten)) await this.#store(rewritten, target);
    return history.slice(end);
  }

  #isShown(message: MessageInput): boolean {
    return message.id !== undefined && this.#byId.has(message.id);
  }

  #isPrompt(message: MessageInput): boolean {
    return message.id === undefined && this.#prompts.some((one) => looksLike(one, message));
  }

  /**
   * The shown message behind each returned one. By id; or, if a framework has stripped the ids, by order and content up to the prompt
   * of this turn. Messages behind the prompt are new, even if the same was said before. Without the prompt, by position and content.
   */
  #recognize(history: readonly MessageInput[]): readonly (ShownMessage | undefined)[] {
    const prompt = history.findLastIndex((message) => this.#isPrompt(message));
    let next = 0;
    return history.map((message, index) => {
      if (message.id !== undefined) return this.#byId.get(message.id);
      if (prompt === -1) return this.#at(index, message);
      if (index > prompt) return undefined;
      const at = this.#entries.findIndex((one, position) => position >= next && looksLike(one, message));
      if (at !== -1) next = at + 1;
      return this.#entries[at];
    });
  }

  #at(index: number, message: MessageInput): ShownMessage | undefined {
    const entry = this.#entries[index];
    return entry !== undefined && looksLike(entry, message) ? entry : undefined;
  }

  #isUnchanged(rewritten: readonly MessageInput[]): boolean {
    return (
      rewritten.length === this.#entries.length &&
      rewritten.every((message, index) => message === this.#entries[index]?.stored)
    );
  }

  async #store(rewritten: readonly MessageInput[], { settings, turn, base }: RewriteTarget): Promise<void> {
    const { messages: live } = await readLive(settings, turn);
    const first = live.findIndex(({ id }) => this.#byId.has(id));
    // Messages that were too old to be shown cannot have been left out by the agent.
    const older = live.slice(0, Math.max(0, first));
    const own = rewritten.filter((message) => !isSummary(message));
    const isStored = await isMerged(() => replace(settings, turn, [...older, ...own], base));
    if (!isStored) await this.#storeRebased(own, settings, turn);
  }

  /** Another writer has rewritten the history meanwhile: the agent's changes are applied to the result. */
  async #storeRebased(own: readonly MessageInput[], settings: Settings, turn: Turn): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const { messages: live, revision } = await readLive(settings, turn);
      const rebased = rebaseHistory(live, own, this.#byId);
      const write = (): Promise<unknown> => replace(settings, turn, rebased, revision);
      if (attempt === MAX_REBASE_ATTEMPTS) return void (await write());
      if (await isMerged(write)) return;
    }
  }
}

/** A conflict between a read and the write right after it is rare; five in a row are a fault that must be seen. */
const MAX_REBASE_ATTEMPTS = 5;

async function readLive(
  settings: Settings,
  { sessionId }: Turn,
): Promise<Pick<Session, "messages" | "revision">> {
  const session = await retry(leaseRetryPolicy(settings), () => settings.store.getSession(sessionId));
  return session ?? { messages: [], revision: 0 };
}

/** Not retried: after a conflict the history must be computed again. */
function replace(
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

/** The stored message, if the agent returned it unchanged. */
function restored(message: MessageInput, entry: ShownMessage | undefined): MessageInput {
  if (entry === undefined) return message;
  if (message === entry.shown || isSameContent(entry.shown.content, message.content)) return entry.stored;
  return { ...message, id: entry.stored.id };
}

function looksLike({ shown }: ShownMessage, message: MessageInput): boolean {
  return shown.role === message.role && isSameContent(shown.content, message.content);
}

function isSameContent(shown: Message["content"], returned: unknown): boolean {
  return equalJson(shown ?? null, jsonify(returned ?? null));
}

/** A summary of an archive is made for the model; it is no message of the session. */
function isSummary({ role, metadata }: MessageInput): boolean {
  return role === "system" && isFields(metadata) && "archiveId" in metadata;
}
