import { simulateReadableStream } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 7, text: 7, reasoning: 0 },
};

/** The parts of one step that says a text, word by word. */
export function saying(text) {
  const words = text.match(/\S+\s*/g) ?? [];
  return [
    { type: "text-start", id: "1" },
    ...words.map((delta) => ({ type: "text-delta", id: "1", delta })),
    { type: "text-end", id: "1" },
  ];
}

/** The parts of one step that calls tools. */
export function calling(...calls) {
  return calls.map(([toolCallId, toolName, input]) => ({
    type: "tool-call",
    toolCallId,
    toolName,
    input: JSON.stringify(input),
  }));
}

/** A model that goes through steps, one for each time that it is asked. `before` is called before each part. */
export function scriptedModel(steps, before = async () => undefined) {
  let asked = 0;
  return new MockLanguageModelV3({
    doStream: async ({ abortSignal }) => {
      const step = steps[asked++ % steps.length];
      const calls = step.some((part) => part.type === "tool-call");
      const finishReason = { unified: calls ? "tool-calls" : "stop", raw: undefined };
      const parts = [
        { type: "stream-start", warnings: [] },
        ...step,
        { type: "finish", finishReason, usage },
      ];
      const stream = simulateReadableStream({ chunks: parts, initialDelayInMs: null, chunkDelayInMs: null });
      const paced = new TransformStream({
        async transform(part, controller) {
          await before(part);
          if (abortSignal?.aborted) controller.error(abortSignal.reason);
          else controller.enqueue(part);
        },
      });
      return { stream: stream.pipeThrough(paced) };
    },
  });
}
