import { jsonify } from "@sessions/protocol";
import { readUIMessageStream, type UIMessage, type UIMessageChunk, validateUIMessages } from "ai";
import { storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { createChatHandlers, loadMessages, saveMessages } from "../src/index.js";
import { isUIMessage } from "../src/messages/stored-message.js";
import {
  type Fields,
  isChunk,
  isPart,
  kindsOfChunks,
  kindsOfParts,
  variants,
  wholeChunks,
  wholeParts,
} from "./generated.js";

test("the corpus has every kind of part and of chunk that the installed SDK has", async () => {
  expect(wholeParts()).toHaveLength(await kindsOfParts());
  expect(wholeChunks()).toHaveLength(await kindsOfChunks());
});

test.each(storeKinds)(
  "every part is loaded as it was saved, with and without each of its fields: $name",
  async ({ open }) => {
    const parts = await allVariants(wholeParts(), isPart);
    const messages = parts.map((part, index) => ({ id: `m${index}`, role: "assistant", parts: [part] }));
    await validateUIMessages({ messages });
    const given = messages.filter(isUIMessage);
    expect(given).toHaveLength(messages.length);
    expect(messages.length).toBeGreaterThan(200);
    const store = await open();
    await saveMessages(store, "c", given);
    expect(await loadMessages(store, "c")).toStrictEqual(given);
  },
);

test.each(storeKinds)(
  "every chunk, with and without each of its fields, makes the message that the SDK makes of it: $name",
  async ({ open }) => {
    const store = await open();
    const chunks = (await allVariants(wholeChunks(), isChunk)).filter(({ type }) => !ENDS.includes(type));
    expect(chunks.length).toBeGreaterThan(80);
    const sequence = chunks.flatMap((chunk, index) => renamed(whole(chunk), index)).filter(isTyped);
    const { post } = createChatHandlers({
      store,
      authorize: "public",
      respond: () => streamOf(sequence),
      checkpoint: { everyChars: 1 },
    });
    const question = { id: "q", role: "user", parts: [{ type: "text", text: "Go." }] };
    const body = JSON.stringify({ id: "c", messages: [question] });
    const response = await post(
      new Request("http://localhost/api/chat", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      }),
    );
    expect(await response.text()).toContain('"type":"finish"');
    const [, answer] = await loadMessages(store, "c");
    const { parts, metadata } = await madeBySdk(sequence);
    expect(answer?.parts).toEqual(jsonify(parts));
    expect(answer?.metadata).toEqual(jsonify(metadata));
  },
);

/** These end an answer. */
const ENDS: readonly unknown[] = ["finish", "error", "abort"];

async function allVariants(
  examples: readonly Fields[],
  accepts: (thing: Fields) => Promise<boolean>,
): Promise<readonly Fields[]> {
  return (await Promise.all(examples.map((example) => variants(example, accepts)))).flat();
}

/** A chunk behind those that must come before it. */
function whole(chunk: Fields): readonly Fields[] {
  const { type, id, toolCallId } = chunk;
  const [, kind, step] = /^(text|reasoning)-(delta|end)$/.exec(String(type)) ?? [];
  if (kind !== undefined && step !== undefined) return [{ type: `${kind}-start`, id }, chunk];
  if (type === "tool-input-delta") return [{ type: "tool-input-start", toolCallId, toolName: "look" }, chunk];
  const needsCall = /^tool-(output|approval)/.test(String(type));
  const dynamic = chunk["dynamic"] === undefined ? {} : { dynamic: chunk["dynamic"] };
  const input = { type: "tool-input-available", toolCallId, toolName: "look", input: {}, ...dynamic };
  return needsCall ? [input, chunk] : [chunk];
}

/** The same parts with different ids. */
function renamed(chunks: readonly Fields[], index: number): readonly Fields[] {
  const named = (name: string, { [name]: id }: Fields): Fields =>
    id === undefined ? {} : { [name]: `${String(id)}${index}` };
  return chunks.map((chunk) => ({ ...chunk, ...named("id", chunk), ...named("toolCallId", chunk) }));
}

async function madeBySdk(chunks: readonly UIMessageChunk[]): Promise<UIMessage> {
  let message: UIMessage = { id: "a", role: "assistant", parts: [] };
  // An answer of ours has an id already, and a stream's own would begin another one.
  const withoutIds = chunks.map((chunk) => (chunk.type === "start" ? { ...chunk, messageId: "a" } : chunk));
  // The last one changes nothing, and makes the SDK report the last state.
  const stream = streamOf([...withoutIds, { type: "start" }]);
  for await (const state of readUIMessageStream({ message, stream })) message = state;
  return message;
}

function streamOf(chunks: readonly UIMessageChunk[]): ReadableStream<UIMessageChunk> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(structuredClone(chunk));
      controller.close();
    },
  });
}

function isTyped(chunk: Fields): chunk is Fields & UIMessageChunk {
  return typeof chunk["type"] === "string";
}
