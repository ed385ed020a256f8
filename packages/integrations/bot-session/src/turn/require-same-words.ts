import {
  equalJson,
  jsonify,
  type Message,
  type MessageInput,
  SessionError,
} from "@sessions/protocol/integration";
import { isFields } from "@sessions/turn-runner";
import { isErased } from "../conversation/settled-mark.js";
import { SPEAKER_KEY } from "../conversation/speaker.js";

/**
 * Refuses other content under an id that is taken: the stored reply would answer another question. The sender's name may differ; the
 * first one is kept.
 */
export function requireSameWords(sessionId: string, stored: Message, given: MessageInput): void {
  if (isErased(stored) || equalJson(wordsOf(stored), wordsOf(given))) return;
  throw SessionError.of(
    "MESSAGE_ID_TAKEN",
    `Something else was said under the id of message "${stored.id}". Give every update an id of its own, also an edited one.`,
    { sessionId, messageId: stored.id },
  );
}

function wordsOf({ role, content, metadata }: MessageInput): ReturnType<typeof jsonify> {
  const speaker = isFields(metadata) ? metadata[SPEAKER_KEY] : undefined;
  const id = isFields(speaker) ? speaker["id"] : undefined;
  return jsonify({ role, content: content ?? null, id: id ?? null });
}
