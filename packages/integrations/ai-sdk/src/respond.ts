import type { UIMessageChunk } from "ai";
import { chunksInResponse } from "./chunks-in-response.js";
import type { Answer } from "./options.js";

/** The chunks of an answer, until it ends or `signal` aborts: then at once, and the answer is told to stop. */
export async function* chunksOf(
  answer: Promise<Answer> | Answer,
  signal: AbortSignal,
): AsyncGenerator<UIMessageChunk, void, undefined> {
  const aborted = abortOf(signal);
  const given = await Promise.race([answer, aborted]);
  if (given === undefined) return;
  const chunks = chunksIn(given)[Symbol.asyncIterator]();
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

function chunksIn(answer: Answer): AsyncIterable<UIMessageChunk> | ReadableStream<UIMessageChunk> {
  if (answer instanceof Response) return chunksInResponse(answer);
  return "toUIMessageStream" in answer ? answer.toUIMessageStream() : answer;
}
