import {
  type Clock,
  requireOptions,
  requireStore,
  SessionError,
  type SessionStore,
  systemClock,
} from "@sessions/protocol/integration";
import {
  type CheckpointIntervals,
  createIds,
  notify,
  requireCheckpoint,
  requireCount,
  requireFunction,
} from "@sessions/turn-runner";
import { authorizedSession } from "./chat/authorize.js";
import { DEFAULT_SENTENCE, errorSentence } from "./chat/error-sentence.js";
import { CHAT_HANDLERS_OPTIONS, type ChatHandlersOptions } from "./options.js";

/** A page sends all messages of its chat, with files among them. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The options, checked and with their defaults. */
export interface Settings extends Pick<ChatHandlersOptions, "respond"> {
  readonly store: SessionStore;
  readonly ttlMs: number;
  readonly waitMs: number;
  /** Calls `authorize` first. */
  readonly sessionIdOf: (request: Request, chatId: string) => Promise<string>;
  readonly maxBodyBytes: number;
  readonly checkpoint: CheckpointIntervals;
  readonly owner: { readonly owner?: string };
  /** Never throws. */
  readonly waitUntil: (work: Promise<void>) => void;
  /** Returns a sentence for the page. Never throws. */
  readonly onError: (error: unknown) => string;
  readonly clock: Clock;
  readonly newId: () => string;
}

export function settingsOf(given: ChatHandlersOptions): Settings {
  const options = requireOptions(given, CHAT_HANDLERS_OPTIONS);
  const { store, respond, clock = systemClock, owner, authorize } = options;
  requireStore(store, "options.store");
  requireFunction(respond, "options.respond");
  requireAuthorize(authorize);
  const { onError: sentenceOf = () => DEFAULT_SENTENCE } = options;
  const onError = (error: unknown): string => errorSentence(sentenceOf, error);
  return {
    store,
    respond,
    clock,
    newId: createIds(clock),
    sessionIdOf: authorizedSession(options),
    maxBodyBytes: requireCount(options.maxBodyBytes ?? MAX_BODY_BYTES, "options.maxBodyBytes", 1),
    checkpoint: requireCheckpoint(options.checkpoint, { everyMs: 250, everyChars: 4096 }),
    ttlMs: options.ttlMs ?? 15_000,
    waitMs: options.waitMs ?? 60_000,
    owner: owner === undefined ? {} : { owner },
    // The answer goes on even if the platform's function fails.
    waitUntil: (work) => notify(() => options.waitUntil?.(work), onError),
    onError,
  };
}

function requireAuthorize(authorize: unknown): void {
  if (authorize === "public" || typeof authorize === "function") return;
  const path = "options.authorize";
  throw SessionError.of(
    "INVALID_ARGUMENT",
    `${path} must be a function that returns the id of the user, or "public" for chats that anybody may use.`,
    { path },
  );
}
