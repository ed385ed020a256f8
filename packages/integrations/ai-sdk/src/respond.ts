import type { UIMessageChunk } from "ai";
import type { Answer } from "./options.js";

/** The chunks of an answer, until it ends or `signal` aborts: then at once, and the answer is told to stop. */
export async function* chunksOf(
  answer: Promise<Answer> | Answer,
  signal: AbortSignal,
): AsyncGenerator<UIMessageChunk, void, undefined> {
  const aborted = abortOf(signal);
  const given = await Promise.race([answer, aborted]);
  if (given === undefined) return;
  const chunks = iteratorOf("toUIMessageStream" in given ? given.toUIMessageStream() : given);
  try {
    for (;;) {
      const next = await Promise.race([chunks.next(), aborted]);
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not waited for: an answer that does not listen to its signal may never come back.
    if (signal.aborted) void Promise.allSettled([chunks.return?.()]);
  }
}

function abortOf(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

function iteratorOf(
  chunks: AsyncIterable<UIMessageChunk> | ReadableStream<UIMessageChunk>,
): AsyncIterator<UIMessageChunk> {
  return chunks[Symbol.asyncIterator]();
}
