import { createUIMessageStreamResponse, type UIMessageChunk } from "ai";

/** How often a silent stream sends a comment, so that proxies keep the connection open. */
const KEEP_ALIVE_MS = 15_000;

type Chunks = Iterable<UIMessageChunk> | AsyncIterable<UIMessageChunk> | ReadableStream<UIMessageChunk>;

/** A response that streams chunks to a page. */
export function chatStream(chunks: Chunks): Response {
  const stream = chunks instanceof ReadableStream ? chunks : streamOf(chunks);
  return createUIMessageStreamResponse({ stream, keepAliveMs: KEEP_ALIVE_MS });
}

function streamOf(
  chunks: Iterable<UIMessageChunk> | AsyncIterable<UIMessageChunk>,
): ReadableStream<UIMessageChunk> {
  const iterator =
    Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
