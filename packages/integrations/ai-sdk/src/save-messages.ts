import {
  DEFAULT_LIMITS,
  equalJson,
  type ForcibleOptions,
  jsonify,
  type MutationResult,
  type OptionNames,
  requireOptions,
  requireStore,
  SessionError,
  type SessionStore,
} from "@sessions/protocol/integration";
import type { UIMessage } from "ai";
import { storedMessage, uiMessageIn } from "./messages/stored-message.js";

/** How to save the messages of a chat. */
export interface SaveMessagesOptions extends ForcibleOptions {
  /**
   * The revision that `loadChat` returned: messages that others have added since stay, after these. If others have removed or changed
   * messages since, REVISION_CONFLICT: load the chat again and let its user decide again.
   */
  readonly base?: number | undefined;
}

const SAVE_MESSAGES_OPTIONS: OptionNames<SaveMessagesOptions> = {
  commitId: true,
  ifRevision: true,
  ifAbsent: true,
  ifIdle: true,
  fence: true,
  firstSentAt: true,
  fingerprint: true,
  signal: "signal",
  force: true,
  base: true,
};

/**
 * Replaces the messages of a chat in one commit. A stored message with the same id and other content (a tool's output, an approval, more of
 * an answer) is replaced in its place, a message that is missing here is removed, and an unchanged one is not written.
 */
export async function saveMessages(
  store: SessionStore,
  sessionId: string,
  messages: readonly UIMessage[],
  options: SaveMessagesOptions = {},
): Promise<MutationResult> {
  requireStore(store);
  const given = requireMessages(messages);
  const checked = requireOptions(options, SAVE_MESSAGES_OPTIONS);
  const session = await store.getSession(sessionId);
  const storedById = new Map((session?.messages ?? []).map((message) => [message.id, message]));
  const stored = given.map((message) => {
    const known = storedById.get(message.id);
    // A message that did not change keeps the fields that a UIMessage does not have.
    const isSame = known !== undefined && equalJson(jsonify(uiMessageIn(known)), jsonify(message));
    return isSame ? known : storedMessage(message);
  });
  return store.setChatHistory(sessionId, stored, checked);
}

/** A list no longer than a session may be. The store checks the messages themselves. */
function requireMessages(messages: readonly UIMessage[]): readonly UIMessage[] {
  const isList = Array.isArray(messages) && messages.length <= DEFAULT_LIMITS.items;
  if (isList && messages.every((message) => typeof message === "object" && message !== null)) return messages;
  throw SessionError.of("INVALID_ARGUMENT", "messages must be an array of UIMessages.", { path: "messages" });
}
