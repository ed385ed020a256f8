import {
  type DynamicToolUIPart,
  safeValidateUIMessages,
  type UIDataTypes,
  type UIMessageChunk,
  type UIMessagePart,
  type UITools,
  uiMessageChunkSchema,
} from "ai";

/**
 * A corpus that the SDK itself completes. Its schemas cannot be walked: that of messages is not exported, and that of
 * chunks says of a type only "custom". So one example of each kind with all of its fields is written down here, by types
 * that make the compiler ask for every kind and every field of the installed version; which fields may be absent is then
 * found out by asking the SDK's schema, and so is whether it has kinds that are not here.
 */
export type Fields = Readonly<Record<string, unknown>>;

/** Every field, also those that may be absent; without those that must be. */
type Full<Thing> = {
  [K in keyof Thing as [Exclude<Thing[K], undefined>] extends [never] ? never : K]-?: Exclude<
    Thing[K],
    undefined
  >;
};

type Part = UIMessagePart<UIDataTypes, UITools>;
type Call = DynamicToolUIPart;
type Named<Prefix extends string> = `${Prefix}-${string}`;

const TEXT = "text ☃ \u2028 \u0000 \ud83d\ude00";
const META = { provider: { signature: TEXT, nested: { deep: [1, null, "x"] } } };
const ANYTHING = { rows: [{ a: null }, [], {}], text: TEXT, large: Number.MAX_SAFE_INTEGER };
const ASKED = { id: "a1", descriptor: { why: "danger" }, signature: "s", inputSchemaInput: ANYTHING };
const GRANTED = { ...ASKED, approved: true, reason: "ok" } as const;

const call = {
  type: "dynamic-tool",
  dynamic: false,
  toolName: "look",
  toolCallId: "c",
  title: "Looks",
  toolMetadata: { icon: "eye" },
  providerExecuted: true,
  callProviderMetadata: META,
} as const;

const CALLS: { readonly [S in Call["state"]]: Full<Extract<Call, { state: S }>> } = {
  "input-streaming": {
    ...call,
    state: "input-streaming",
    input: ANYTHING,
    rawInput: '{"a":1',
    inputEncoding: "json",
  },
  "input-available": { ...call, state: "input-available", input: ANYTHING },
  "approval-requested": { ...call, state: "approval-requested", input: ANYTHING, approval: ASKED },
  "approval-responded": { ...call, state: "approval-responded", input: ANYTHING, approval: GRANTED },
  "output-available": {
    ...call,
    state: "output-available",
    input: ANYTHING,
    output: ANYTHING,
    resultProviderMetadata: META,
    preliminary: true,
    approval: GRANTED,
  },
  "output-error": {
    ...call,
    state: "output-error",
    input: ANYTHING,
    errorText: "failed",
    resultProviderMetadata: META,
    approval: GRANTED,
  },
  "output-denied": {
    ...call,
    state: "output-denied",
    input: ANYTHING,
    approval: { ...ASKED, approved: false, reason: "no" },
  },
};

type Fixed = Exclude<Part["type"], Named<"tool"> | Named<"data"> | Call["type"]>;
const PARTS: { readonly [T in Fixed]: Full<Extract<Part, { type: T }>> } = {
  text: { type: "text", text: TEXT, state: "streaming", providerMetadata: META },
  reasoning: { type: "reasoning", id: "r", text: TEXT, state: "done", providerMetadata: META },
  "source-url": {
    type: "source-url",
    sourceId: "u",
    url: "https://example.org",
    title: TEXT,
    providerMetadata: META,
  },
  "source-document": {
    type: "source-document",
    sourceId: "d",
    mediaType: "text/plain",
    title: TEXT,
    filename: "t.txt",
    providerMetadata: META,
  },
  file: {
    type: "file",
    mediaType: "image/png",
    filename: "a.png",
    url: "data:image/png;base64,AAAA",
    providerMetadata: META,
  },
  "step-start": { type: "step-start" },
};

const tool = { toolCallId: "c", toolName: "look", title: "Looks", toolMetadata: { icon: "eye" } };
const about = { providerExecuted: true, providerMetadata: META, dynamic: true } as const;

type ChunkType = Exclude<UIMessageChunk["type"], Named<"data">>;
const CHUNKS: { readonly [T in ChunkType]: Full<Extract<UIMessageChunk, { type: T }>> } = {
  "text-start": { type: "text-start", id: "t", providerMetadata: META },
  "text-delta": { type: "text-delta", id: "t", delta: TEXT, providerMetadata: META },
  "text-end": { type: "text-end", id: "t", providerMetadata: META },
  "reasoning-start": { type: "reasoning-start", id: "r", providerMetadata: META },
  "reasoning-delta": { type: "reasoning-delta", id: "r", delta: TEXT, providerMetadata: META },
  "reasoning-end": { type: "reasoning-end", id: "r", providerMetadata: META },
  "tool-input-start": { type: "tool-input-start", ...tool, ...about, inputEncoding: "json" },
  "tool-input-delta": { type: "tool-input-delta", toolCallId: "c", inputTextDelta: '{"a":' },
  "tool-input-available": { type: "tool-input-available", ...tool, ...about, input: ANYTHING },
  "tool-input-error": { type: "tool-input-error", ...tool, ...about, input: "{broken", errorText: "no JSON" },
  "tool-approval-request": {
    type: "tool-approval-request",
    approvalId: "a1",
    toolCallId: "c",
    approvalDescriptor: { why: "danger" },
    inputSchemaInput: ANYTHING,
    signature: "s",
  },
  "tool-output-available": {
    type: "tool-output-available",
    toolCallId: "c",
    toolMetadata: { icon: "eye" },
    ...about,
    output: ANYTHING,
    preliminary: true,
  },
  "tool-output-error": {
    type: "tool-output-error",
    toolCallId: "c",
    toolMetadata: { icon: "eye" },
    ...about,
    errorText: "failed",
  },
  "tool-output-denied": { type: "tool-output-denied", toolCallId: "c" },
  "source-url": { ...PARTS["source-url"] },
  "source-document": { ...PARTS["source-document"] },
  file: { type: "file", url: "data:image/png;base64,AAAA", mediaType: "image/png", providerMetadata: META },
  "start-step": { type: "start-step" },
  "finish-step": { type: "finish-step" },
  start: { type: "start", messageId: "m", messageMetadata: ANYTHING },
  finish: { type: "finish", finishReason: "stop", messageMetadata: ANYTHING },
  "message-metadata": { type: "message-metadata", messageMetadata: ANYTHING },
  error: { type: "error", errorText: "failed" },
  abort: { type: "abort", reason: "stopped" },
};

/** One whole example of each kind of part, and of each state of a call. */
export function wholeParts(): readonly Fields[] {
  const calls = Object.values(CALLS);
  // The same calls as calls of a static tool, for which input that cannot be parsed is kept.
  const named = calls.map(({ toolName, dynamic: _, ...part }) => ({
    ...part,
    type: `tool-${toolName}`,
    ...(part.state === "output-error" ? { rawInput: "{broken" } : {}),
  }));
  return [...Object.values(PARTS), ...calls, ...named, { type: "data-note", id: "n", data: ANYTHING }];
}

/** One whole example of each kind of chunk. */
export function wholeChunks(): readonly Fields[] {
  return [...Object.values(CHUNKS), { type: "data-note", id: "n", data: ANYTHING, transient: false }];
}

export async function isPart(part: Fields): Promise<boolean> {
  return (await partErrors(part)) === undefined;
}

export async function isChunk(chunk: Fields): Promise<boolean> {
  return (await chunkErrors(chunk)) === undefined;
}

/** How many kinds of parts, and states of calls, the SDK's schema has. */
export async function kindsOfParts(): Promise<number> {
  return alternatives(await partErrors({}));
}

/** How many kinds of chunks it has. */
export async function kindsOfChunks(): Promise<number> {
  return alternatives(await chunkErrors({}));
}

async function partErrors(part: Fields): Promise<unknown> {
  const messages = [{ id: "m", role: "assistant", parts: [part] }];
  const result = await safeValidateUIMessages({ messages });
  return result.success ? undefined : result.error.cause;
}

async function chunkErrors(chunk: Fields): Promise<unknown> {
  const result = await uiMessageChunkSchema().validate?.(chunk);
  if (result === undefined) throw new Error("the SDK does not validate chunks any more");
  return result.success ? undefined : result.error;
}

/** Of something that is none of them, a union says why for each. */
function alternatives(error: unknown): number {
  const issues = error instanceof Error && "issues" in error ? error.issues : undefined;
  const [issue]: readonly unknown[] = Array.isArray(issues) ? issues : [];
  const errors = typeof issue === "object" && issue !== null && "errors" in issue ? issue.errors : undefined;
  if (!Array.isArray(errors)) throw new Error(`the SDK does not say what it expected: ${String(error)}`);
  return errors.length;
}

/**
 * What the SDK's schema takes for one of the same kind: without each field that may be absent, with each of them alone,
 * without all of them, and with every yes and no turned round.
 */
export async function variants(
  whole: Fields,
  accepts: (thing: Fields) => Promise<boolean>,
): Promise<readonly Fields[]> {
  const without = (names: readonly string[]): Fields =>
    Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name)));
  const optional: string[] = [];
  for (const name of Object.keys(whole)) if (await accepts(without([name]))) optional.push(name);
  const turned: Fields[] = [];
  for (const [name, value] of Object.entries(whole)) {
    const one = { ...whole, [name]: !value };
    if (typeof value === "boolean" && (await accepts(one))) turned.push(one);
  }
  return [
    whole,
    without(optional),
    ...optional.map((name) => without([name])),
    ...optional.map((name) => without(optional.filter((other) => other !== name))),
    ...turned,
  ];
}
