import {
  equalJson,
  jsonify,
  type Message,
  type MessageInput,
  SessionError,
} from "@sessions/protocol/integration";
import { isDestroyed } from "../conversation/settled-mark.js";
import { SPEAKER_KEY } from "../conversation/speaker.js";

/**
 * Refuses other words under an id that is taken: the stored reply would be one to another question. The same words are
 * the same update, also if their sender has another name by now; what came first is kept.
 */
export function requireSameWords(sessionId: string, held: Message, said: MessageInput): void {
  if (isDestroyed(held) || equalJson(wordsOf(held), wordsOf(said))) return;
  throw SessionError.of(
    "MESSAGE_ID_TAKEN",
    `Something else was said under the id of message "${held.id}". Give every update an id of its own, also an edited one.`,
    { sessionId, messageId: held.id },
  );
}

function wordsOf({ role, content, metadata }: MessageInput): ReturnType<typeof jsonify> {
  const speaker: unknown =
    typeof metadata === "object" && metadata !== null ? Reflect.get(metadata, SPEAKER_KEY) : undefined;
  const id: unknown =
    typeof speaker === "object" && speaker !== null ? Reflect.get(speaker, "id") : undefined;
  return jsonify({ role, content: content ?? null, id: id ?? null });
}
