import { AsyncLocalStorage } from "node:async_hooks";
import { type OperationInput, type Session, type SessionStore, set } from "@sessions/protocol";

/**
 * A chat whose turn an update holds. What its handlers write is kept here and stored with the end of the turn, in one
 * commit: an update that is cut off has changed nothing, and when it is delivered again it changes things once.
 */
export class HeldChat {
  readonly store: SessionStore;
  readonly sessionId: string;
  readonly #session: Session;
  readonly #written = new Map<string, unknown>();
  #isOver = false;

  constructor(store: SessionStore, session: Session) {
    this.store = store;
    this.sessionId = session.id;
    this.#session = session;
  }

  /** Whether what is written now would not be stored any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The turn ends: what a handler started and did not await holds it no longer. */
  end(): void {
    this.#isOver = true;
  }

  /** As of now, for the handlers of this update. `undefined`: not there. */
  read(key: string): unknown {
    const value = this.#written.has(key) ? this.#written.get(key) : this.#session.metadata[key];
    return value ?? undefined;
  }

  /** `null` removes. That it is JSON is checked when it is stored: nothing is bent to become so. */
  write(key: string, value: unknown): void {
    this.#written.set(key, structuredClone(value));
  }

  /** What the end of the turn stores. */
  changes(labels: Readonly<Record<string, string>>): readonly OperationInput[] {
    if (this.#written.size === 0) return [];
    return [set({ labels, metadata: Object.fromEntries(this.#written) })];
  }
}

const held = new AsyncLocalStorage<readonly HeldChat[]>();

/** The chat, if the update that is being handled holds its turn. */
export function heldChat(store: SessionStore, sessionId: string): HeldChat | undefined {
  const isHeld = (chat: HeldChat): boolean =>
    !chat.isOver && chat.store === store && chat.sessionId === sessionId;
  return held.getStore()?.find(isHeld);
}

/** Handles an update that holds one more chat. */
export function holding<Result>(chat: HeldChat, handle: () => Promise<Result>): Promise<Result> {
  return held.run([...(held.getStore() ?? []), chat], handle);
}
