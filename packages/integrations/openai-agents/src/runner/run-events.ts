import type { AgentInputItem, RunItem, RunStreamEvent } from "@openai/agents";
import { type JsonObject, jsonify } from "@sessions/protocol";
import { type AgentEvent, type Fields, isFields, stringAt } from "@sessions/turn-runner";
import { messageOf } from "../items/item-message.js";
import { keptItems, linksOf } from "./turn-history.js";

/** A response of the model that is complete. */
interface Response {
  readonly output: readonly AgentInputItem[];
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/** Turns the events of a run of the SDK into events of a turn. */
export class RunEvents {
  /** Whether deltas of the present response had text, and reasoning. */
  #hasText = false;
  #hasReasoning = false;

  events(event: RunStreamEvent): readonly AgentEvent[] {
    if (event.type === "run_item_stream_event") return resultOf(event.item);
    if (event.type !== "raw_model_stream_event") return [];
    const { data } = event;
    if (data.type === "output_text_delta") return this.#text(data.delta);
    if (data.type === "response_done") return this.#completed(data.response);
    return data.type === "model" ? this.#reasoning(data.event) : [];
  }

  #text(text: string): readonly AgentEvent[] {
    this.#hasText ||= text !== "";
    return [{ type: "text-delta", text }];
  }

  /** The SDK passes the provider's own events on. These are OpenAI's. */
  #reasoning(event: unknown): readonly AgentEvent[] {
    const isDelta =
      isFields(event) && /^response\.reasoning(_summary)?_text\.delta$/.test(stringAt(event, "type") ?? "");
    if (!isDelta) return [];
    this.#hasReasoning = true;
    return [{ type: "reasoning-delta", text: stringAt(event, "delta") ?? "" }];
  }

  #completed({ output, usage }: Response): readonly AgentEvent[] {
    const texts = output.flatMap((item) => this.#withoutDeltas(item));
    [this.#hasText, this.#hasReasoning] = [false, false];
    const { inputTokens, outputTokens } = usage;
    return [
      ...texts,
      // Before the calls: a call must not be stored without the items that came with it.
      { type: "metadata", metadata: jsonified(keptItems(output)) },
      ...callsIn(output),
      { type: "usage", usage: { inputTokens, outputTokens } },
    ];
  }

  /** The text and the reasoning of an item that came without deltas. */
  #withoutDeltas(item: AgentInputItem): readonly AgentEvent[] {
    if (item.type === "reasoning" && !this.#hasReasoning)
      return item.content.map(({ text }) => ({ type: "reasoning-delta", text }) as const);
    if (this.#hasText || !("role" in item) || item.role !== "assistant") return [];
    return item.content.flatMap((part) =>
      part.type === "output_text" ? [{ type: "text-delta", text: part.text } as const] : [],
    );
  }
}

/** The calls that the provider has not answered itself. */
function callsIn(output: readonly AgentInputItem[]): readonly AgentEvent[] {
  const answered = new Set(output.flatMap((item) => linksOf(item).results));
  return output.flatMap((item) =>
    linksOf(item)
      .calls.filter((id) => !answered.has(id))
      .map(
        (toolCallId) =>
          ({ type: "tool-call", toolCallId, toolName: nameOf(item), input: inputOf(item) }) as const,
      ),
  );
}

function nameOf(item: AgentInputItem): string {
  return "name" in item && typeof item.name === "string" ? item.name : (item.type ?? "message");
}

function inputOf(item: AgentInputItem): ReturnType<typeof jsonify> {
  if (item.type !== "function_call") return jsonify(item);
  try {
    return jsonify(JSON.parse(item.arguments));
  } catch {
    // Models write malformed arguments. The SDK reports that to the model; the arguments are stored as they are.
    return item.arguments;
  }
}

/** The result of a tool or a handoff. */
function resultOf({ rawItem }: RunItem): readonly AgentEvent[] {
  if (!isResult(rawItem)) return [];
  const [toolCallId] = linksOf(rawItem).results;
  if (toolCallId === undefined) return [];
  const toolName = nameOf(rawItem);
  const text = rawItem.type === "function_call_result" ? textOf(rawItem.output) : undefined;
  if (text !== undefined) return [{ type: "tool-result", toolCallId, toolName, output: text }];
  const value = jsonify("output" in rawItem ? rawItem.output : null);
  const part = { type: "tool-result", toolCallId, toolName, output: { type: "json", value } };
  return [{ type: "message", message: { ...messageOf(rawItem), content: [part] } }];
}

type Result = Extract<
  AgentInputItem,
  { type: "function_call_result" | "computer_call_result" | "shell_call_output" | "apply_patch_call_output" }
>;

const RESULTS: readonly unknown[] = [
  "function_call_result",
  "computer_call_result",
  "shell_call_output",
  "apply_patch_call_output",
];

function isResult(item: object | undefined): item is Result {
  return item !== undefined && "type" in item && RESULTS.includes(item.type);
}

function textOf(output: string | Fields | readonly unknown[]): string | undefined {
  if (typeof output === "string") return output;
  return isFields(output) && output["type"] === "text" ? (stringAt(output, "text") ?? "") : undefined;
}

function jsonified(fields: Fields): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, jsonify(value)]));
}
