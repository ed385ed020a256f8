/** A request body as the scripted server reads it. Its shape is checked by `problemIn`. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatRequestMessage[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly tools?: readonly { readonly type: string; readonly function: { readonly name: string } }[];
  readonly [field: string]: unknown;
}

export interface ChatRequestMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly ChatRequestCall[];
  readonly tool_call_id?: string;
  readonly [field: string]: unknown;
}

interface ChatRequestCall {
  readonly id: string;
  readonly type: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  system: ["role", "content"],
  developer: ["role", "content"],
  user: ["role", "content", "name"],
  assistant: ["role", "content", "tool_calls", "reasoning_content", "reasoning"],
  tool: ["role", "content", "tool_call_id"],
};
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Why a provider would refuse the request, or `undefined`. */
export function problemIn(request: ChatRequest): string | undefined {
  return [...problemsIn(request)].at(0);
}

function* problemsIn(request: ChatRequest): Generator<string> {
  if (typeof request.model !== "string" || request.model === "") yield "you must provide a model parameter";
  if (request.stream !== true) yield "this server only streams";
  for (const { type, function: named } of request.tools ?? [])
    if (type !== "function" || !NAME.test(named.name)) yield `invalid tool ${named.name}`;
  if (request.messages.length === 0) yield "[] is too short - 'messages'";
  for (const message of request.messages) yield* problemsOfMessage(message);
  yield* unpaired(request.messages);
}

function* problemsOfMessage(message: ChatRequestMessage): Generator<string> {
  const fields = FIELDS[message.role];
  if (fields === undefined) return yield `invalid role ${message.role}`;
  for (const field of Object.keys(message))
    if (!fields.includes(field)) yield `extra field ${field} in a message of ${message.role}`;
  if (!isContent(message)) yield `invalid content in a message of ${message.role}`;
  for (const call of message.tool_calls ?? []) yield* problemsOfCall(call);
}

function isContent({ role, content, tool_calls: calls }: ChatRequestMessage): boolean {
  if (role === "assistant" && content === null) return (calls ?? []).length > 0;
  if (role === "user" && Array.isArray(content)) return content.length > 0;
  return typeof content === "string" && (content !== "" || role === "tool");
}

function* problemsOfCall({ id, type, function: called }: ChatRequestCall): Generator<string> {
  if (id === "" || type !== "function" || !NAME.test(called.name)) yield `invalid tool call ${id}`;
  // OpenAI accepts any text here, but many compatible endpoints parse it and require an object.
  const parsed: unknown = JSON.parse(called.arguments);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) yield `arguments of ${id}`;
}

/** Each message with calls must be followed by one result for each call. No other results, and no id twice. */
function* unpaired(messages: readonly ChatRequestMessage[]): Generator<string> {
  const seen = new Set<string>();
  const open = new Set<string>();
  for (const { role, tool_calls: calls = [], tool_call_id: answered = "" } of messages) {
    if (role === "tool" && !open.delete(answered))
      yield `a tool message without a preceding call: ${answered}`;
    if (role !== "tool" && open.size > 0) yield `tool_call_ids without a response: ${[...open].join()}`;
    for (const { id } of calls) {
      if (seen.has(id)) yield `the tool call id ${id} is not unique`;
      seen.add(id);
      open.add(id);
    }
  }
  if (open.size > 0) yield `tool_call_ids without a response: ${[...open].join()}`;
}
