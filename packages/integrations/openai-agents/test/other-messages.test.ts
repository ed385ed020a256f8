import { setTracingDisabled } from "@openai/agents";
import type { MessageInput } from "@sessions/protocol";
import { storeKinds } from "test-tools";
import { expect, test } from "vitest";
import { openaiSession } from "../src/index.js";

setTracingDisabled(true);

const PNG = "data:image/png;base64,iVBORw0KGgo=";
const PDF = "data:application/pdf;base64,JVBERg==";
const USER_CONTENT = [
  { type: "input_text", text: "What is it?" },
  { type: "input_image", image: PNG },
  { type: "input_file", file: PDF, filename: "notes.pdf" },
];
const ANSWER = [
  { role: "assistant", content: [{ type: "output_text", text: "Let me see." }] },
  { type: "function_call", callId: "c1", name: "look", arguments: '{"at":"it"}' },
  {
    type: "function_call_result",
    callId: "c1",
    name: "look",
    output: { type: "text", text: '{"seen":"a cat"}' },
  },
];

/** The same conversation, as others write it. */
const CONVERSATIONS: Readonly<Record<string, readonly MessageInput[]>> = {
  "the AI SDK's chats": [
    {
      role: "user",
      parts: [
        { type: "text", text: "What is it?" },
        { type: "file", mediaType: "image/png", url: PNG },
        { type: "file", mediaType: "application/pdf", url: PDF, filename: "notes.pdf" },
      ],
    },
    {
      role: "assistant",
      parts: [
        { type: "step-start" },
        { type: "reasoning", text: "A thought of another model." },
        { type: "text", text: "Let me see." },
        {
          type: "tool-look",
          toolCallId: "c1",
          state: "output-available",
          input: { at: "it" },
          output: { seen: "a cat" },
        },
        { type: "step-start" },
        { type: "text", text: "A cat." },
      ],
    },
  ],
  "chat completions": [
    {
      role: "user",
      content: [
        { type: "text", text: "What is it?" },
        { type: "image_url", image_url: { url: PNG } },
        { type: "file", file: { file_data: PDF, filename: "notes.pdf" } },
      ],
    },
    {
      role: "assistant",
      content: "Let me see.",
      tool_calls: [{ id: "c1", type: "function", function: { name: "look", arguments: '{"at":"it"}' } }],
    },
    { role: "tool", tool_call_id: "c1", name: "look", content: '{"seen":"a cat"}' },
    { role: "assistant", content: "A cat." },
  ],
  "managed agents": [
    {
      role: "user",
      content: [
        { type: "text", text: "What is it?" },
        { type: "image", image: PNG },
        { type: "file", mediaType: "application/pdf", data: PDF, filename: "notes.pdf" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "A thought of another model." },
        { type: "text", text: "Let me see." },
        { type: "tool-call", toolCallId: "c1", toolName: "look", input: { at: "it" } },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "c1",
          toolName: "look",
          output: { type: "json", value: { seen: "a cat" } },
        },
      ],
    },
    { role: "assistant", content: "A cat." },
  ],
};

test.each(
  storeKinds.flatMap((kind) =>
    Object.entries(CONVERSATIONS).map(([whose, said]) => ({ ...kind, whose, said })),
  ),
)("messages of $whose are items: text, images, files, calls and results: $name", async ({ open, said }) => {
  const store = await open();
  await store.addMessage("s", said);
  const items = await openaiSession(store, "s").getItems();
  expect(items).toMatchObject([
    { type: "message", role: "user", content: USER_CONTENT },
    ...ANSWER,
    { role: "assistant", content: [{ type: "output_text", text: "A cat." }] },
  ]);
  expect(JSON.stringify(items)).not.toContain("thought");
});

const STATES: readonly (readonly [state: string, more: object, told: readonly (string | undefined)[]])[] = [
  ["input-streaming", { input: { at: "i" } }, []],
  ["input-available", { input: {} }, [undefined]],
  ["output-available", { input: {}, output: "A cat." }, [undefined, "A cat."]],
  ["output-error", { input: {}, errorText: "It is dark." }, [undefined, "It is dark."]],
  ["output-denied", { input: {}, approval: { id: "a", approved: false, reason: "No." } }, [undefined, "No."]],
];

test.each(STATES)(
  "a chat's tool call in the state %s becomes items with what it has",
  async (state, more, told) => {
    const [kind] = storeKinds;
    const store = await kind?.open();
    if (store === undefined) throw new Error("there is a store");
    const part = { type: "dynamic-tool", toolName: "look", toolCallId: "c1", state, ...more };
    await store.addMessage("s", { role: "assistant", parts: [part] });
    const items = await openaiSession(store, "s").getItems();
    expect(items).toMatchObject(
      told.map((text) =>
        text === undefined
          ? { type: "function_call", callId: "c1", name: "look" }
          : { type: "function_call_result", callId: "c1", output: { text } },
      ),
    );
  },
);
