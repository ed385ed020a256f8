import type { UIMessage } from "ai";
import { type Fields, isFields, present } from "../pick-fields.js";

type Part = UIMessage["parts"][number];

/** How far a page may take a call. */
const ANSWERS: readonly unknown[] = ["approval-responded", "output-available", "output-error"];

/**
 * A part with what a page has to say about it. A page may answer a call, or say whether it may run. What the model asked
 * for is not its to change: otherwise one thing would be approved and another one done.
 */
export function answeredCall(part: Part, sent: UIMessage): Part {
  if (!("toolCallId" in part) || String(part.state).startsWith("output-")) return part;
  const told = sent.parts.find((one) => "toolCallId" in one && one.toolCallId === part.toolCallId);
  if (told === undefined || !("state" in told) || !ANSWERS.includes(told.state)) return part;
  const asked = "approval" in part ? part.approval : undefined;
  if (told.state === "approval-responded" && asked === undefined) return part;
  const answered: unknown = {
    ...part,
    ...present(told, "state", "output", "errorText"),
    ...(asked === undefined ? {} : { approval: { ...asked, ...decision(told) } }),
  };
  return isPart(answered) ? answered : part;
}

function decision(told: Fields): Fields {
  return isFields(told["approval"]) ? present(told["approval"], "approved", "reason") : {};
}

function isPart(value: unknown): value is Part {
  return isFields(value) && typeof value["type"] === "string";
}
