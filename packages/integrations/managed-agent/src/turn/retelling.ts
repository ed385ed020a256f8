import type { ContentPart, Json, Message } from "@sessions/protocol";
import type { AgentEvent } from "../agent-event.js";
import { outputIn } from "../session/tool-message.js";
import { usageOf } from "../session/turn-marks.js";

interface Told {
  /** So many parts are told whole. */
  parts: number;
  /** And so many characters of the next. */
  chars: number;
  isWhole: boolean;
  hasUsage: boolean;
}

/** Tells stored messages as the events that they were made of. Given a message that has grown, it tells what is new. */
export class Retelling {
  readonly #told = new Map<string, Told>();

  /** The events of a message that were not told yet. */
  events(message: Message): readonly AgentEvent[] {
    const told = this.#told.get(message.id) ?? { parts: 0, chars: 0, isWhole: false, hasUsage: false };
    this.#told.set(message.id, told);
    const parts = partsOf(message);
    const events = parts === undefined ? wholeMessage(message, told) : newParts(parts, told);
    return [...events, ...usage(message, told)];
  }
}

/** The parts of a message that deltas and tool events can tell; `undefined` for one of another making. */
function partsOf({ role, content }: Message): readonly ContentPart[] | undefined {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? undefined);
  const known = KNOWN[role] ?? [];
  return parts?.every((part) => known.includes(part.type)) ? parts : undefined;
}

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  assistant: ["reasoning", "text", "tool-call"],
  tool: ["tool-result"],
};

function wholeMessage(message: Message, told: Told): readonly AgentEvent[] {
  if (told.isWhole || message.status === "partial") return [];
  told.isWhole = true;
  return [{ type: "message", message }];
}

function newParts(parts: readonly ContentPart[], told: Told): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  for (const [index, part] of parts.entries()) {
    if (index < told.parts) continue;
    const from = index === told.parts ? told.chars : 0;
    events.push(...eventsOf(part, from));
    // Only the last part can still grow, and only if it is text.
    const length = lengthOf(part);
    [told.parts, told.chars] = length === undefined ? [index + 1, 0] : [index, length];
  }
  return events;
}

function lengthOf(part: ContentPart): number | undefined {
  return isText(part) && typeof part["text"] === "string" ? part["text"].length : undefined;
}

function isText(part: ContentPart): boolean {
  return part.type === "text" || part.type === "reasoning";
}

function eventsOf(part: ContentPart, from: number): readonly AgentEvent[] {
  if (isText(part)) {
    const text = stringOf(part["text"]).slice(from);
    const type = part.type === "text" ? "text-delta" : "reasoning-delta";
    return text === "" ? [] : [{ type, text }];
  }
  const call = { toolCallId: stringOf(part["toolCallId"]), toolName: stringOf(part["toolName"]) };
  return part.type === "tool-call"
    ? [{ type: "tool-call", ...call, input: part["input"] ?? null }]
    : [{ type: "tool-result", ...call, ...outputIn(part["output"]) }];
}

function usage(message: Message, told: Told): readonly AgentEvent[] {
  const used = usageOf(message);
  if (told.hasUsage || used === undefined) return [];
  told.hasUsage = true;
  return [{ type: "usage", usage: used }];
}

function stringOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
