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

  constructor(store: SessionStore, session: Session) {
    this.store = store;
    this.sessionId = session.id;
    this.#session = session;
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
  return held.getStore()?.find((chat) => chat.store === store && chat.sessionId === sessionId);
}

/** Handles an update that holds one more chat. */
export function holding<Result>(chat: HeldChat, handle: () => Promise<Result>): Promise<Result> {
  return held.run([...(held.getStore() ?? []), chat], handle);
}
