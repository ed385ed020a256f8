import type { Json } from "@sessions/protocol";
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from "ai";
import { isChunk, joinDeltas } from "./chunk.js";

/** The message that a stream makes. */
export interface FoldedMessage {
  /** As far as the SDK accepted the stream. */
  readonly message: UIMessage;
  /** Why it did not accept the rest. */
  readonly failure?: { readonly error: unknown };
}

/** Adds the chunks of a stream to a message. The SDK itself interprets them. */
export async function foldChunks(base: UIMessage, chunks: readonly Json[]): Promise<FoldedMessage> {
  let message = structuredClone(base);
  let failure: FoldedMessage["failure"];
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of joinDeltas(chunks).filter(isChunk)) controller.enqueue(chunk);
      // Changes nothing, but makes the SDK report the last state: it does not report a step that has just begun.
      controller.enqueue({ type: "start", messageId: base.id });
      controller.close();
    },
  });
  const onError = (error: unknown): void => {
    failure ??= { error };
  };
  for await (const state of readUIMessageStream({ message, stream, onError })) message = state;
  return failure === undefined ? { message } : { message, failure };
}
