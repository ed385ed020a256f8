import type { DynamicToolUIPart, UIDataTypes, UIMessage, UIMessageChunk, UIMessagePart, UITools } from "ai";

type Part = UIMessagePart<UIDataTypes, UITools>;
type State = DynamicToolUIPart["state"];

const TEXT = "text ☃ \u2028 \u0000 \ud83d\ude00";
const META = { provider: { signature: TEXT, nested: { deep: [1, null, "x"] } } };
const APPROVAL = { id: "a1", descriptor: { why: "danger" }, signature: "s", inputSchemaInput: { raw: 1 } };

/** Every state of a call. Keyed by the SDK's own type: a version with another state does not compile. */
const STATES: { readonly [S in State]: readonly Extract<DynamicToolUIPart, { state: S }>[] } = {
  "input-streaming": [
    { ...call("s1"), state: "input-streaming", input: { a: 1 }, rawInput: '{"a":1', inputEncoding: "json" },
    { ...call("s2"), state: "input-streaming" },
  ],
  "input-available": [
    { ...call("s3"), state: "input-available", input: { a: 1 }, callProviderMetadata: META },
  ],
  "approval-requested": [{ ...call("s4"), state: "approval-requested", input: {}, approval: APPROVAL }],
  "approval-responded": [
    {
      ...call("s5"),
      state: "approval-responded",
      input: {},
      approval: { ...APPROVAL, approved: true, reason: "ok" },
    },
  ],
  "output-available": [
    {
      ...call("s6"),
      state: "output-available",
      input: [1],
      output: { rows: [{ a: null }], text: TEXT },
      callProviderMetadata: META,
      resultProviderMetadata: META,
      preliminary: true,
      approval: { ...APPROVAL, approved: true },
    },
    { ...call("s7"), state: "output-available", input: "text", output: null, providerExecuted: true },
  ],
  "output-error": [
    {
      ...call("s8"),
      state: "output-error",
      input: { a: 1 },
      errorText: "failed",
      resultProviderMetadata: META,
    },
  ],
  "output-denied": [
    {
      ...call("s10"),
      state: "output-denied",
      input: {},
      approval: { ...APPROVAL, approved: false, reason: "no" },
    },
  ],
};

/** Every kind of part. Keyed by the SDK's own type, as above; kinds with names of their own are added below. */
type FixedType = Exclude<Part["type"], `tool-${string}` | `data-${string}`>;
const PARTS: { readonly [T in FixedType]: readonly Extract<Part, { type: T }>[] } = {
  text: [
    { type: "text", text: TEXT },
    { type: "text", text: "", state: "done" },
    { type: "text", text: "half", state: "streaming", providerMetadata: META },
  ],
  reasoning: [
    { type: "reasoning", id: "r1", text: "thought", state: "done", providerMetadata: META },
    { type: "reasoning", text: "", state: "streaming" },
  ],
  "source-url": [
    { type: "source-url", sourceId: "u", url: "https://example.org", title: TEXT, providerMetadata: META },
  ],
  "source-document": [
    {
      type: "source-document",
      sourceId: "d",
      mediaType: "text/plain",
      title: "T",
      filename: "t.txt",
      providerMetadata: META,
    },
  ],
  file: [
    {
      type: "file",
      mediaType: "image/png",
      filename: "a.png",
      url: "data:image/png;base64,AAAA",
      providerMetadata: META,
    },
  ],
  "step-start": [{ type: "step-start" }],
  "dynamic-tool": Object.values(STATES).flat(),
};

/** Every part, and the same calls as calls of static tools. */
export function allParts(): readonly Part[] {
  const named = PARTS["dynamic-tool"].map(({ toolName, ...part }) => ({ ...part, type: `tool-${toolName}` }));
  const unreadable = { state: "output-error", rawInput: "{broken", errorText: "no JSON", title: "Looks" };
  named.push({ type: "tool-look", toolCallId: "s9", ...JSON.parse(JSON.stringify(unreadable)) });
  const data = [
    { type: "data-weather", id: "w1", data: { degrees: 21.5, at: null } },
    { type: "data-note", data: "text" },
  ];
  return JSON.parse(JSON.stringify([...Object.values(PARTS).flat(), ...named.map(renamed), ...data]));
}

/** Messages with every part, every role and every shape of metadata. */
export function corpus(): readonly UIMessage[] {
  const text: Part = { type: "text", text: TEXT };
  return [
    { id: "m-system", role: "system", parts: [text] },
    { id: "m-user", role: "user", parts: [text, ...PARTS.file], metadata: { at: 1, tags: [] } },
    { id: "m-all", role: "assistant", parts: [...allParts()], metadata: { usage: { total: 1 } } },
    ...allParts().map((part, index): UIMessage => ({ id: `m-${index}`, role: "assistant", parts: [part] })),
    { id: "m-text", role: "user", parts: [text], metadata: "a text" },
    { id: "m-null", role: "user", parts: [text], metadata: null },
    { id: "m-list", role: "user", parts: [text], metadata: [1, { a: 2 }] },
    { id: "m-empty", role: "assistant", parts: [] },
  ];
}

/** The kinds of chunks that the SDK knows, by its own type. */
export const CHUNK_TYPES: { readonly [T in Exclude<UIMessageChunk["type"], `data-${string}`>]: true } = {
  "text-start": true,
  "text-delta": true,
  "text-end": true,
  "reasoning-start": true,
  "reasoning-delta": true,
  "reasoning-end": true,
  error: true,
  "tool-input-available": true,
  "tool-input-error": true,
  "tool-approval-request": true,
  "tool-output-available": true,
  "tool-output-error": true,
  "tool-output-denied": true,
  "tool-input-start": true,
  "tool-input-delta": true,
  "source-url": true,
  "source-document": true,
  file: true,
  "start-step": true,
  "finish-step": true,
  start: true,
  finish: true,
  abort: true,
  "message-metadata": true,
};

function call(toolCallId: string): {
  type: "dynamic-tool";
  toolName: string;
  toolCallId: string;
  title: string;
} {
  return { type: "dynamic-tool", toolName: "look", toolCallId, title: "Looks" };
}

/** Two calls of one message have two ids. */
function renamed<Thing extends { readonly toolCallId: string }>(part: Thing): Thing {
  return { ...part, toolCallId: `named-${part.toolCallId}` };
}
