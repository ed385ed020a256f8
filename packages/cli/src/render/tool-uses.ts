import { type JsonObject, type Message, toolLinksOf } from "@sessions/protocol";
import { listIn, objectIn, textField } from "../json/fields.js";

/** A call of a tool, or its result, as a message has it. */
export interface ToolUse {
  readonly kind: "call" | "result";
  readonly callId?: string | undefined;
  /** Absent in most results: the call has it. */
  readonly name?: string | undefined;
  /** The input or the output. `undefined` if the message has none in a known place. */
  readonly value: unknown;
}

/** The tool calls and results of a message, in the shapes that `toolLinksOf` knows. */
export function toolUsesOf(message: Message): readonly ToolUse[] {
  const entry = objectIn(message["entry"]);
  const layers = [message, message["item"], entry, entry?.["message"], entry?.["content"]];
  const uses = layers.flatMap((layer) => usesIn(objectIn(layer) ?? {}));
  const { calls, results } = toolLinksOf(message);
  return [...uses, ...unnamed("call", calls, uses), ...unnamed("result", results, uses)];
}

/** Links of which only the id is in a known place. */
function unnamed(
  kind: ToolUse["kind"],
  ids: readonly string[],
  uses: readonly ToolUse[],
): readonly ToolUse[] {
  const known = new Set(uses.filter((use) => use.kind === kind).map(({ callId }) => callId));
  return ids.filter((callId) => !known.has(callId)).map((callId) => ({ kind, callId, value: undefined }));
}

function usesIn(body: JsonObject): readonly ToolUse[] {
  return [
    ...listIn(body["content"]).flatMap((part) => usesInPart(objectIn(part) ?? {})),
    ...listIn(body["parts"]).flatMap((part) => usesInUiPart(objectIn(part) ?? {})),
    ...listIn(body["tool_calls"]).map((call) => chatCall(objectIn(call) ?? {})),
    ...usesInChatMessage(body),
    ...usesInItem(body),
  ];
}

/** A content part of the AI SDK, or a block of Anthropic. */
function usesInPart(part: JsonObject): readonly ToolUse[] {
  const type = textField(part["type"]) ?? "";
  const callId = textField(part["toolCallId"]) ?? textField(part["tool_use_id"]) ?? textField(part["id"]);
  const name = textField(part["toolName"]) ?? textField(part["name"]);
  if (type === "tool-call" || type.endsWith("tool_use"))
    return [{ kind: "call", callId, name, value: part["input"] ?? part["args"] }];
  if (type === "tool-result" || type === "tool-error" || type.endsWith("tool_result"))
    return [
      {
        kind: "result",
        callId,
        name,
        value: part["output"] ?? part["result"] ?? part["error"] ?? part["content"],
      },
    ];
  return [];
}

/** A part of a UIMessage: the call and its result in one. */
function usesInUiPart(part: JsonObject): readonly ToolUse[] {
  const type = textField(part["type"]) ?? "";
  if (!type.startsWith("tool-") && type !== "dynamic-tool") return [];
  const callId = textField(part["toolCallId"]);
  const name = textField(part["toolName"]) ?? type.replace("tool-", "");
  const call: ToolUse = { kind: "call", callId, name, value: part["input"] };
  const isAnswered = textField(part["state"])?.startsWith("output-") === true;
  const value = part["output"] ?? part["errorText"];
  return isAnswered ? [call, { kind: "result", callId, name, value }] : [call];
}

/** A call of an OpenAI chat message. */
function chatCall(call: JsonObject): ToolUse {
  const made = objectIn(call["function"]) ?? objectIn(call["custom"]) ?? {};
  const value = made["arguments"] ?? made["input"];
  return { kind: "call", callId: textField(call["id"]), name: textField(made["name"]), value };
}

function usesInChatMessage(body: JsonObject): readonly ToolUse[] {
  const call = objectIn(body["function_call"]);
  const name = textField(call?.["name"]);
  const calls: readonly ToolUse[] =
    call === undefined ? [] : [{ kind: "call", callId: name, name, value: call["arguments"] }];
  const answered =
    textField(body["tool_call_id"]) ?? (body["role"] === "function" ? textField(body["name"]) : undefined);
  if (answered === undefined) return calls;
  return [
    ...calls,
    { kind: "result", callId: answered, name: textField(body["name"]), value: body["content"] },
  ];
}

/** An item of the OpenAI Responses API or Agents SDK. */
function usesInItem(item: JsonObject): readonly ToolUse[] {
  const type = textField(item["type"]) ?? "";
  const callId = textField(item["callId"]) ?? textField(item["call_id"]);
  const name = textField(item["name"]);
  if (type.endsWith("_call") || type === "program") {
    const value = item["arguments"] ?? item["input"] ?? item["action"];
    return [{ kind: "call", callId: callId ?? textField(item["id"]), name: name ?? type, value }];
  }
  const isResult = type.endsWith("_output") || type.endsWith("_result");
  return isResult && callId !== undefined ? [{ kind: "result", callId, name, value: item["output"] }] : [];
}
