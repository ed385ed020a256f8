import type { ChatHandlers } from "../src/index.js";

/** What a page sends to ask something in the chat "c". */
export function postRequest(text: string, messageId = "m1", signal?: AbortSignal): Request {
  const message = { id: messageId, role: "user", parts: [{ type: "text", text }] };
  return new Request("http://localhost/api/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: "c", messages: [message] }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** A request about the chat "c" that has no body. */
export function chatRequest(signal?: AbortSignal): Request {
  return new Request("http://localhost/api/chat/c", signal === undefined ? {} : { signal });
}

export interface Chunk {
  readonly type: string;
  readonly delta?: string;
  readonly errorText?: string;
}

/** The chunks of a response, once it is over. */
export async function chunksIn(response: Response): Promise<readonly Chunk[]> {
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("data: {"));
  return lines.map((line) => JSON.parse(line.slice("data: ".length)));
}

/** What the text of these chunks is. */
export function textIn(chunks: readonly Chunk[]): string {
  return chunks.map(({ delta = "" }) => delta).join("");
}

/** Stops the answer that is being written, as soon as there is one. */
export async function stopAnswer(handlers: ChatHandlers): Promise<void> {
  for (;;) {
    const told = await (await handlers.stop(chatRequest(), "c")).text();
    if (told === '{"stopped":true}') return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
