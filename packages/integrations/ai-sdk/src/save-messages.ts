import {
  equalJson,
  type ForcibleOptions,
  jsonify,
  type MutationResult,
  type SessionStore,
} from "@sessions/protocol";
import type { UIMessage } from "ai";
import { storedMessage, uiMessageIn } from "./stored-message.js";

/** How to save the messages of a chat. */
export interface SaveMessagesOptions extends ForcibleOptions {
  /** The revision that `loadChat` told: what others have added since then stays, after these. */
  readonly base?: number | undefined;
}

/**
 * Makes these the messages of a chat, in one step. A message that is there under the same id with other content (a tool's
 * output, an approval, more of an answer) is replaced in its place; one that is missing goes; what is unchanged is not
 * written.
 */
export async function saveMessages(
  store: SessionStore,
  sessionId: string,
  messages: readonly UIMessage[],
  options: SaveMessagesOptions = {},
): Promise<MutationResult> {
  const session = await store.getSession(sessionId);
  const held = new Map((session?.messages ?? []).map((message) => [message.id, message]));
  const stored = messages.map((message) => {
    const known = held.get(message.id);
    // Given back as it was read, it keeps what is stored beside it.
    const isSame = known !== undefined && equalJson(jsonify(uiMessageIn(known)), jsonify(message));
    return isSame ? known : storedMessage(message);
  });
  return store.setChatHistory(sessionId, stored, options);
}
