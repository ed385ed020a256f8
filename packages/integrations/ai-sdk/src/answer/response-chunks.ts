import { parseJsonEventStream, type UIMessageChunk, uiMessageChunkSchema } from "ai";

/** What a response of the SDK's would stream to a page. Throws if it is no such response. */
export async function* chunksInResponse(response: Response): AsyncGenerator<UIMessageChunk, void, undefined> {
  const { ok, status, body } = response;
  if (!ok || body === null) throw new TypeError(`respond returned a response without an answer: ${status}.`);
  const chunks = parseJsonEventStream({ stream: body, schema: uiMessageChunkSchema });
  for await (const chunk of chunks) {
    if (!chunk.success) throw chunk.error;
    yield chunk.value;
  }
}
