import { type Clock, createUuidV7, type SessionStore, systemClock } from "@sessions/protocol";
import type { ChatHandlersOptions } from "./options.js";

/** The options, with everything said. */
export interface Settings extends Pick<ChatHandlersOptions, "respond"> {
  readonly store: SessionStore;
  readonly ttlMs: number;
  readonly waitMs: number;
  readonly sessionIdOf: (request: Request, chatId: string) => string | Promise<string>;
  readonly checkpoint: { readonly everyMs: number; readonly everyChars: number };
  readonly owner: { readonly owner?: string };
  readonly waitUntil: (work: Promise<void>) => void;
  readonly onError: (error: unknown) => string;
  readonly clock: Clock;
  readonly newId: () => string;
}

export function settingsOf(options: ChatHandlersOptions): Settings {
  const { store, respond, clock = systemClock, owner, checkpoint = {} } = options;
  const ids = createUuidV7(
    () => clock.now(),
    (bytes) => globalThis.crypto.getRandomValues(bytes),
  );
  return {
    store,
    respond,
    clock,
    newId: () => ids.next(),
    sessionIdOf: options.sessionIdOf ?? ((_, chatId) => chatId),
    checkpoint: { everyMs: checkpoint.everyMs ?? 250, everyChars: checkpoint.everyChars ?? 4096 },
    ttlMs: options.ttlMs ?? 15_000,
    waitMs: options.waitMs ?? 60_000,
    owner: owner === undefined ? {} : { owner },
    waitUntil: options.waitUntil ?? (() => undefined),
    onError: options.onError ?? (() => "An error occurred."),
  };
}
