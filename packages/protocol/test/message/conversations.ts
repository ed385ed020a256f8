import * as fc from "fast-check";
import type { Message } from "../../src/message/message.js";
import type { MessageInput } from "../../src/message/message-input.js";

/** What a message of a generated conversation does, independent of its shape. */
export interface Step {
  readonly role: string;
  readonly calls?: readonly string[];
  readonly results?: readonly string[];
  readonly asked?: readonly string[];
  readonly decided?: readonly string[];
  readonly reasoning?: boolean;
  readonly shape: number;
}

/** A generated conversation: the steps and their messages. */
export interface Conversation {
  readonly steps: readonly Step[];
  readonly messages: readonly Message[];
}

/** Turns steps into messages `m0`, `m1`… */
export function conversationOf(steps: readonly Step[]): Conversation {
  return { steps, messages: steps.map(messageOf) };
}

/** A message with an id, a time and these fields. */
export function message(id: string, role: string, fields: Partial<Message> = {}): Message {
  return { id, role, createdAt: 1, ...fields };
}

/** Positions that must stay together, found by brute force: for each answer the nearest call before it. */
export function pairsIn(steps: readonly Step[]): readonly (readonly [number, number])[] {
  return steps.flatMap((step, index) => [
    ...nearest(steps, index, step.results, "calls"),
    ...nearest(steps, index, step.decided, "asked"),
    ...(step.reasoning && continues(steps[index + 1]) ? [[index, index + 1] as const] : []),
  ]);
}

function nearest(
  steps: readonly Step[],
  index: number,
  ids: readonly string[] = [],
  opens: "calls" | "asked",
): (readonly [number, number])[] {
  return ids.flatMap((id) => {
    const call = steps.findLastIndex((step, at) => at <= index && step[opens]?.includes(id));
    return call === -1 ? [] : [[call, index] as const];
  });
}

function continues(step: Step | undefined): boolean {
  return step !== undefined && step.role !== "user" && step.role !== "system";
}

function messageOf(step: Step, index: number): Message {
  const text = { type: "text", text: `message ${index}` };
  if (step.reasoning)
    return message(`m${index}`, step.role, { item: { type: "reasoning", id: `rs${index}` } });
  const shape = SHAPES[step.shape % SHAPES.length] ?? modelShape;
  const linked = shape(step) ?? modelShape(step);
  if (Array.isArray(linked.content)) {
    return message(`m${index}`, step.role, { ...linked, content: [text, ...linked.content] });
  }
  return message(`m${index}`, step.role, { content: text.text, ...linked });
}

type Body = Partial<Message>;

function modelShape({ calls = [], results = [], asked = [], decided = [] }: Step): Body {
  return {
    content: [
      ...calls.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "t", input: {} })),
      ...results.map((toolCallId) => ({ type: "tool-result", toolCallId, toolName: "t", output: {} })),
      ...asked.map((approvalId) => ({ type: "tool-approval-request", approvalId, toolCallId: "-" })),
      ...decided.map((approvalId) => ({ type: "tool-approval-response", approvalId, approved: true })),
    ],
  };
}

function anthropicShape({ calls = [], results = [], asked = [], decided = [] }: Step): Body | undefined {
  if (asked.length + decided.length > 0) return undefined;
  return {
    content: [
      ...calls.map((id) => ({ type: "tool_use", id, name: "t", input: {} })),
      ...results.map((tool_use_id) => ({ type: "tool_result", tool_use_id, content: "ok" })),
    ],
  };
}

function chatShape({ calls = [], results = [], asked = [], decided = [] }: Step): Body | undefined {
  if (asked.length + decided.length > 0 || results.length > 1) return undefined;
  const tool_calls = calls.map((id) => ({ id, type: "function", function: { name: "t", arguments: "{}" } }));
  const [answered] = results;
  return { tool_calls, ...(answered === undefined ? {} : { tool_call_id: answered }) };
}

function itemShape({ calls = [], results = [], asked = [], decided = [] }: Step): Body | undefined {
  const [id] = [...calls, ...results];
  if (id === undefined || calls.length + results.length > 1 || asked.length + decided.length > 0)
    return undefined;
  const type = calls.length > 0 ? "function_call" : "function_call_result";
  return { item: { type, callId: id, name: "t" } };
}

const SHAPES = [modelShape, anthropicShape, chatShape, itemShape];

const shape = fc.nat(SHAPES.length - 1);
const talk = fc.record({ role: fc.constantFrom("user", "user", "assistant", "system"), shape });
const reasoning = fc.record({ role: fc.constant("assistant"), shape, reasoning: fc.constant(true) });

/** Calls in one message or several, answered in any order, with other messages in between. */
const exchange: fc.Arbitrary<Step[]> = fc
  .record({
    count: fc.integer({ min: 1, max: 4 }),
    apart: fc.boolean(),
    noise: fc.array(talk, { maxLength: 3 }),
  })
  .chain(({ count, apart, noise }) => {
    const ids = Array.from({ length: count }, (_, index) => `call_${index}`);
    const calls = apart ? ids.map((id) => [id]) : [ids];
    const making = calls.map((made): Step => ({ role: "assistant", calls: made, shape: 0 }));
    const answers = ids.map((id): Step => ({ role: "tool", results: [id], shape: 0 }));
    const rest = [...answers, ...noise];
    return fc
      .tuple(
        fc.shuffledSubarray(rest, { minLength: rest.length }),
        fc.array(shape, { minLength: 12, maxLength: 12 }),
      )
      .map(([shuffled, shapes]) =>
        [...making, ...shuffled].map((step, index) => ({ ...step, shape: shapes[index] ?? 0 })),
      );
  });

const approval: fc.Arbitrary<Step[]> = fc
  .array(talk, { maxLength: 2 })
  .map((noise) => [
    { role: "assistant", calls: ["pay"], asked: ["approval"], shape: 0 },
    ...noise,
    { role: "tool", decided: ["approval"], shape: 0 },
  ]);

/**
 * Conversations as providers produce them: plain messages and whole exchanges. Exchanges share ids, as with providers
 * that count from 0.
 */
const orderly: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: talk.map((step): Step[] => [step]) },
      { weight: 3, arbitrary: exchange },
      { weight: 1, arbitrary: fc.tuple(reasoning, talk).map((steps): Step[] => [...steps]) },
      { weight: 1, arbitrary: approval },
    ),
    { maxLength: 12 },
  )
  .map((blocks) => blocks.flat());

const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 3 });

/** Conversations after aborts, crashes and removals: answers without calls, calls without answers, repeated ids. */
const wild: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: talk },
    { weight: 2, arbitrary: fc.record({ role: fc.constant("assistant"), calls: ids, shape }) },
    { weight: 2, arbitrary: fc.record({ role: fc.constantFrom("tool", "user"), results: ids, shape }) },
    { weight: 1, arbitrary: fc.record({ role: fc.constant("assistant"), calls: ids, results: ids, shape }) },
    { weight: 1, arbitrary: fc.record({ role: fc.constant("assistant"), asked: ids, shape }) },
    { weight: 1, arbitrary: fc.record({ role: fc.constant("tool"), decided: ids, shape }) },
    { weight: 1, arbitrary: reasoning },
  ),
  { maxLength: 25 },
);

/** Conversations in every provider's shape, well-formed or not. */
export function anyConversation(): fc.Arbitrary<Conversation> {
  return fc.oneof(orderly, wild).map(conversationOf);
}

/** A budget of messages, of tokens, or of both. The cost of a message depends only on its id. */
export function anyBudget(): fc.Arbitrary<{ limit?: number; maxTokens?: number; atLeastNewest?: boolean }> {
  return fc.record(
    { limit: fc.nat(12), maxTokens: fc.nat(60), atLeastNewest: fc.boolean() },
    { requiredKeys: [] },
  );
}

/** A cost between 0 and 9 that depends only on the message. */
export function costById(given: Message): number {
  return [...given.id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 10;
}

const WORDS = [
  ...["text", "tool-call", "tool-result", "tool-x", "dynamic-tool", "tool_use", "tool_result", "reasoning"],
  ...[
    "function_call",
    "function_call_output",
    "hosted_tool_call",
    "mcp_approval_request",
    "output-error",
    "",
  ],
];
const FIELDS = [
  ...[
    "type",
    "text",
    "content",
    "parts",
    "item",
    "entry",
    "message",
    "id",
    "name",
    "role",
    "state",
    "refusal",
  ],
  ...["tool_calls", "tool_call_id", "function_call", "callId", "call_id", "toolCallId", "tool_use_id"],
  ...["providerData", "approval_request_id", "approvalId", "transcript", "__proto__", "constructor"],
];

/** Any JSON, most of it similar to the known shapes. */
function anyJson(): fc.Arbitrary<unknown> {
  return fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constantFrom(...WORDS, null, true, 0, -1.5),
      fc.jsonValue(),
      fc.array(tie("json"), { maxLength: 4 }),
      fc.dictionary(fc.constantFrom(...FIELDS), tie("json"), { maxKeys: 6 }),
    ),
  })).json;
}

/** A role, and any JSON in every field that is read. */
export function anyInput(): fc.Arbitrary<MessageInput> {
  const fields = fc.dictionary(fc.constantFrom(...FIELDS), anyJson(), { maxKeys: 8 });
  return fc
    .tuple(fields, fc.constantFrom("user", "tool", "function"))
    .map(([given, role]) => ({ ...given, role }));
}
