import { createInterface } from "node:readline";
import { createChatHandlers, saveMessages } from "@sessions/ai-sdk";
import { convertToModelMessages, streamText } from "ai";
import { openStore } from "test-tools/open-store";
import { saying, scriptedModel } from "./scripted-model.mjs";

/** Answers one question, word by word. It pauses at `holdAt` until it gets a line on its input. */
const { place, text, holdAt, ttlMs, isTwin = false } = JSON.parse(process.argv[2]);
const say = (line) => process.stdout.write(`${JSON.stringify({ at: Date.now(), ...line })}\n`);
const input = createInterface({ input: process.stdin });
input.on("close", () => process.exit(0));
const told = new Promise((resolve) => input.once("line", resolve));

const store = await openStore(place);
const model = scriptedModel([saying(text)], async ({ delta }) => {
  if (delta !== holdAt) return;
  say({ holds: true });
  await told;
});
const message = { id: "m1", role: "user", parts: [{ type: "text", text: "A story, please." }] };

/** The broken twin: a chat as examples write it, which saves the answer when it is whole. */
async function postInMemory() {
  await saveMessages(store, "c", [message]);
  const result = streamText({ model, messages: await convertToModelMessages([message]) });
  return result.toUIMessageStreamResponse({
    originalMessages: [message],
    onFinish: ({ messages }) => saveMessages(store, "c", messages),
  });
}

const handlers = createChatHandlers({
  store,
  authorize: "public",
  respond: async ({ messages, signal }) =>
    streamText({ model, messages: await convertToModelMessages(messages), abortSignal: signal }),
  checkpoint: { everyMs: 5 },
  ttlMs,
});
const post = isTwin ? postInMemory : handlers.post;
const body = JSON.stringify({ id: "c", messages: [message], trigger: "submit-message" });
const response = await post(
  new Request("http://localhost/api/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  }),
);
const decoder = new TextDecoder();
for await (const bytes of response.body) say({ read: decoder.decode(bytes) });
say({ done: true });
