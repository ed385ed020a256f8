import { notify, raceAbort } from "@sessions/turn-runner";
import type { UIMessageChunk } from "ai";
import type { Answer } from "../options.js";
import { responseChunks } from "./response-chunks.js";

/** The chunks of an answer. When `signal` aborts, its reason is thrown at once, and the answer is told to stop. */
export async function* answerChunks(
  respond: () => Promise<Answer> | Answer,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  const answer = await raceAbort(signal, respond);
  const stream = await raceAbort(signal, () => chunksIn(answer));
  const chunks = await raceAbort(signal, () => stream[Symbol.asyncIterator]());
  let isDone = false;
  try {
    for (;;) {
      const next = await raceAbort(signal, () => chunks.next());
      isDone = next.done === true;
      if (isDone) return;
      yield next.value;
    }
  } finally {
    // Not waited for: an answer that ignores its signal may never settle. How the answer ends is decided already.
    if (!isDone) notify(() => chunks.return?.());
  }
}

function chunksIn(answer: Answer): AsyncIterable<UIMessageChunk> | ReadableStream<UIMessageChunk> {
  if (answer instanceof Response) return responseChunks(answer);
  return "toUIMessageStream" in answer ? answer.toUIMessageStream() : answer;
}
