import { AsyncLocalStorage } from "node:async_hooks";
import { type OperationInput, type Session, type SessionStore, set } from "@sessions/protocol";

/**
 * A chat whose turn an update holds. What its handlers write is buffered here and stored by the commit that ends the turn: an update that
 * is cut off changes nothing, so it can be delivered again.
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

  /** Whether a write would come too late to be stored. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The turn ends. Work that a handler started and did not await may not write any more. */
  end(): void {
    this.#isOver = true;
  }

  /** The stored value, or what this update has written since; `undefined` if there is none. */
  read(key: string): unknown {
    const value = this.#written.has(key) ? this.#written.get(key) : this.#session.metadata[key];
    return value ?? undefined;
  }

  /** `null` removes the value. The store checks that it is JSON. */
  write(key: string, value: unknown): void {
    this.#written.set(key, structuredClone(value));
  }

  /** The operations that store what was written. */
  changes(labels: Readonly<Record<string, string>>): readonly OperationInput[] {
    if (this.#written.size === 0) return [];
    return [set({ labels, metadata: Object.fromEntries(this.#written) })];
  }
}

const held = new AsyncLocalStorage<readonly HeldChat[]>();

/** A chat, if the update that is being handled holds its turn. */
export function heldChat(store: SessionStore, sessionId: string): HeldChat | undefined {
  const isHeld = (chat: HeldChat): boolean =>
    !chat.isOver && chat.store === store && chat.sessionId === sessionId;
  return held.getStore()?.find(isHeld);
}

/** Handles an update that also holds this chat. */
export function holding<Result>(chat: HeldChat, handle: () => Promise<Result>): Promise<Result> {
  return held.run([...(held.getStore() ?? []), chat], handle);
}
