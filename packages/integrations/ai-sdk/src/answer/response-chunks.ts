import { parseJsonEventStream, type UIMessageChunk, uiMessageChunkSchema } from "ai";

/** The chunks that a response of the SDK streams. Throws if it is no such response. */
export async function* responseChunks(response: Response): AsyncGenerator<UIMessageChunk, void, undefined> {
  const { ok, status, body } = response;
  if (!ok || body === null) throw new TypeError(`respond returned a response without an answer: ${status}.`);
  const chunks = parseJsonEventStream({ stream: body, schema: uiMessageChunkSchema });
  for await (const chunk of chunks) {
    if (!chunk.success) throw chunk.error;
    yield chunk.value;
  }
}
