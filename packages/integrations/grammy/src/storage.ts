import {
  requireOptions,
  requireStore,
  SessionError,
  type SessionStore,
} from "@sessions/protocol/integration";
import type { StorageAdapter } from "grammy";
import { chatSessionId, requireNamespace } from "./chat-session-id.js";
import { type HeldChat, heldChat } from "./held-chat.js";
import { STORAGE_OPTIONS, type StorageOptions } from "./options.js";

/**
 * A storage for grammY's sessions. It writes only while the update holds the chat's turn (see `sequentialize`): grammY reads a session,
 * changes it and writes all of it, so that updates at the same time would overwrite each other.
 */
export function storage<S>(store: SessionStore, options: StorageOptions<S> = {}): StorageAdapter<S> {
  requireStore(store);
  return new ChatStorage<S>(store, requireOptions(options, STORAGE_OPTIONS));
}

class ChatStorage<S> implements StorageAdapter<S> {
  readonly #store: SessionStore;
  readonly #namespace: string;
  readonly #dataKey: string;
  readonly #importedKey: string;
  readonly #importFrom: StorageOptions<S>["importFrom"];

  constructor(store: SessionStore, { name = "", namespace = "grammy", importFrom }: StorageOptions<S>) {
    this.#store = store;
    this.#namespace = requireNamespace(namespace);
    this.#dataKey = `session.${name}`;
    this.#importedKey = `imported.${name}`;
    this.#importFrom = importFrom;
  }

  async read(key: string): Promise<S | undefined> {
    const held = this.#held(key);
    const read = await this.#reader(key, held);
    const value = read(this.#dataKey);
    if (value !== undefined) return mutableCopy<S>(value);
    if (this.#importFrom === undefined || read(this.#importedKey) !== undefined) return undefined;
    const old = await this.#importFrom.read(key);
    // Stored with the end of the turn, together with the changes of the handlers.
    held?.write(this.#importedKey, true);
    if (old !== undefined) held?.write(this.#dataKey, old);
    return old;
  }

  async write(key: string, value: S): Promise<void> {
    this.#requireHeld(key).write(this.#dataKey, value);
  }

  async delete(key: string): Promise<void> {
    const held = this.#requireHeld(key);
    held.write(this.#dataKey, null);
    if (this.#importFrom !== undefined) held.write(this.#importedKey, true); // or the next read would import it again
  }

  async has(key: string): Promise<boolean> {
    return (await this.read(key)) !== undefined;
  }

  async *readAllKeys(): AsyncGenerator<string, void, undefined> {
    for await (const [key] of this.readAllEntries()) yield key;
  }

  async *readAllValues(): AsyncGenerator<S, void, undefined> {
    for await (const [, value] of this.readAllEntries()) yield value;
  }

  async *readAllEntries(): AsyncGenerator<[string, S], void, undefined> {
    const query = {
      labels: { grammy: this.#namespace },
      metadata: [this.#dataKey],
      order: "id-asc",
    } as const;
    for await (const { id, metadata } of this.#store.listSessions(query)) {
      const value = metadata[this.#dataKey];
      if (value !== undefined) yield [id.slice(this.#namespace.length + 1), mutableCopy<S>(value)];
    }
  }

  #held(key: string): HeldChat | undefined {
    return heldChat(this.#store, chatSessionId(this.#namespace, key));
  }

  #requireHeld(key: string): HeldChat {
    const held = this.#held(key);
    if (held !== undefined) return held;
    throw SessionError.of(
      "INVALID_ARGUMENT",
      `Session "${key}" was not written: this update does not hold its turn, or no longer does. Await what your handlers start. Put sequentialize(store) before session(), on the same store, and if the session has another key than the chat's id, give that as \`key\`.`,
      { path: "key", sessionId: chatSessionId(this.#namespace, key) },
    );
  }

  async #reader(key: string, held: HeldChat | undefined): Promise<(key: string) => unknown> {
    if (held !== undefined) return (name) => held.read(name);
    const id = chatSessionId(this.#namespace, key);
    const session = await this.#store.getSession(id, { messages: "none" });
    return (name) => session?.metadata[name];
  }
}

/** A copy: handlers change their session in place, and a store may return frozen values. */
function mutableCopy<S>(value: unknown): S;
function mutableCopy(value: unknown): unknown {
  return structuredClone(value);
}
