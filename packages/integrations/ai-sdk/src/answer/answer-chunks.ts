import { raceAbort } from "@sessions/turn-runner";
import type { UIMessageChunk } from "ai";
import type { Answer } from "../options.js";
import { chunksInResponse } from "./response-chunks.js";

/** The chunks of an answer. When `signal` aborts, its reason is thrown at once, and the answer is told to stop. */
export async function* chunksOf(
  respond: () => Promise<Answer> | Answer,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  const answer = await raceAbort(signal, respond);
  const stream = await raceAbort(signal, () => chunksIn(answer));
  const chunks = await raceAbort(signal, () => stream[Symbol.asyncIterator]());
  let isOver = false;
  try {
    for (;;) {
      const next = await raceAbort(signal, () => chunks.next());
      isOver = next.done === true;
      if (isOver) return;
      yield next.value;
    }
  } finally {
    if (!isOver) leave(chunks);
  }
}

/** Not waited for: an answer that does not listen to its signal may never come back. How it ends is known already. */
function leave(chunks: AsyncIterator<unknown>): void {
  const left = async (): Promise<unknown> => chunks.return?.();
  void Promise.allSettled([left()]);
}

function chunksIn(answer: Answer): AsyncIterable<UIMessageChunk> | ReadableStream<UIMessageChunk> {
  if (answer instanceof Response) return chunksInResponse(answer);
  return "toUIMessageStream" in answer ? answer.toUIMessageStream() : answer;
}
