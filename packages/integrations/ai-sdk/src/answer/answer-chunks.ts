import { raceAbort, untilAborted } from "@sessions/turn-runner";
import type { UIMessageChunk } from "ai";
import type { Answer } from "../options.js";
import { responseChunks } from "./response-chunks.js";

/** The chunks of an answer. When `signal` aborts, its reason is thrown at once, and the iterator of the answer is closed. */
export async function* answerChunks(
  respond: () => Promise<Answer> | Answer,
  signal: AbortSignal,
): AsyncGenerator<unknown, void, undefined> {
  const answer = await raceAbort(signal, respond);
  const chunks = await raceAbort(signal, () => chunksIn(answer));
  yield* untilAborted(signal, chunks, { source: "options.respond" });
}

function chunksIn(answer: Answer): AsyncIterable<UIMessageChunk> {
  if (answer instanceof Response) return responseChunks(answer);
  return "toUIMessageStream" in answer ? answer.toUIMessageStream() : answer;
}
