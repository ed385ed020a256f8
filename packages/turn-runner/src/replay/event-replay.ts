import type { ContentPart, Json, Message } from "@sessions/protocol";
import type { AgentEvent } from "../agent/agent-event.js";
import { outputIn } from "../history/tool-message.js";
import { usageOf } from "../history/turn-marks.js";

/** How much of a message has been replayed. */
interface Progress {
  /** Parts that are replayed whole. */
  parts: number;
  /** Characters of the part after them. */
  chars: number;
  isWhole: boolean;
  hasUsage: boolean;
}

/** Turns stored messages back into the events that made them. A message that has grown since yields only what is new. */
export class EventReplay {
  readonly #progress = new Map<string, Progress>();

  /** The events of a message that were not replayed before. */
  events(message: Message): readonly AgentEvent[] {
    const progress = this.#progress.get(message.id) ?? NOTHING;
    const next = { ...progress };
    this.#progress.set(message.id, next);
    const parts = replayableParts(message);
    const events = parts === undefined ? wholeMessage(message, next) : newParts(parts, next);
    return [...events, ...newUsage(message, next)];
  }
}

const NOTHING: Readonly<Progress> = { parts: 0, chars: 0, isWhole: false, hasUsage: false };

/** The parts of a message, if deltas and tool events can express all of them. */
function replayableParts({ role, content }: Message): readonly ContentPart[] | undefined {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? undefined);
  const types = REPLAYABLE_TYPES[role] ?? [];
  return parts?.every((part) => types.includes(part.type)) ? parts : undefined;
}

const REPLAYABLE_TYPES: Readonly<Record<string, readonly string[]>> = {
  assistant: ["reasoning", "text", "tool-call"],
  tool: ["tool-result"],
};

function wholeMessage(message: Message, progress: Progress): readonly AgentEvent[] {
  if (progress.isWhole || message.status === "partial") return [];
  progress.isWhole = true;
  return [{ type: "message", message }];
}

function newParts(parts: readonly ContentPart[], progress: Progress): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  for (const [index, part] of parts.entries()) {
    if (index < progress.parts) continue;
    const from = index === progress.parts ? progress.chars : 0;
    events.push(...eventsOf(part, from));
    // Only the last part can still grow, and only if it is text.
    const length = textLength(part);
    [progress.parts, progress.chars] = length === undefined ? [index + 1, 0] : [index, length];
  }
  return events;
}

function textLength(part: ContentPart): number | undefined {
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

function newUsage(message: Message, progress: Progress): readonly AgentEvent[] {
  const usage = usageOf(message);
  if (progress.hasUsage || usage === undefined) return [];
  progress.hasUsage = true;
  return [{ type: "usage", usage }];
}

function stringOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
