import { isFields } from "@sessions/turn-runner";
import type { UIMessage } from "ai";

/** A part of a UIMessage. */
export type UIPart = UIMessage["parts"][number];

/** Whether a value has the shape of a part. Its other fields are not checked. */
export function isUIPart(value: unknown): value is UIPart {
  return isFields(value) && typeof value["type"] === "string";
}
