import { type Fields, isFields } from "@sessions/turn-runner";
import type { UIMessage } from "ai";
import { isUIPart, type UIPart } from "../messages/ui-part.js";
import { pickFields } from "../pick-fields.js";

/** The states that a page may give to a call. */
const ANSWERS: readonly unknown[] = ["approval-responded", "output-available", "output-error"];

/**
 * A stored part with the page's answer. A page may answer a call or approve it. It cannot change what the model asked for: otherwise one
 * input would be approved and another one run.
 */
export function answeredCall(part: UIPart, sent: UIMessage): UIPart {
  if (!("toolCallId" in part) || String(part.state).startsWith("output-")) return part;
  const answer = sent.parts.find((one) => "toolCallId" in one && one.toolCallId === part.toolCallId);
  if (answer === undefined || !("state" in answer) || !ANSWERS.includes(answer.state)) return part;
  const asked = "approval" in part ? part.approval : undefined;
  if (answer.state === "approval-responded" && asked === undefined) return part;
  const answered: unknown = {
    ...part,
    ...pickFields(answer, "state", "output", "errorText"),
    ...(asked === undefined ? {} : { approval: { ...asked, ...decision(answer) } }),
  };
  return isUIPart(answered) ? answered : part;
}

function decision(answer: Fields): Fields {
  return isFields(answer["approval"]) ? pickFields(answer["approval"], "approved", "reason") : {};
}
