import { equalJson } from "../json/equal-json.js";
import type { Json } from "../json/json.js";
import { isRecord } from "../json/record.js";

/** A message, or what a caller sent as one. */
interface Body {
  readonly [field: string]: Json | undefined;
}

/** Whether `extend` can have made `body` from `earlier`: more text at the end, or more parts. */
export function isEarlierBody(earlier: Body, body: Body): boolean {
  const before = partsOf(earlier);
  const after = partsOf(body);
  if (before === undefined || after === undefined || before.length > after.length) return false;
  const last = before.length - 1;
  const isPrefix = before.every((part, index) => {
    return equalJson(part, after[index]) || (index === last && isEarlierText(part, after[index]));
  });
  return isPrefix && !equalJson(before, after);
}

/** The content as parts, because a text may have become parts since; `undefined` for content that cannot be extended. */
function partsOf(body: Body): readonly Json[] | undefined {
  const content = body["content"] ?? body["parts"] ?? "";
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? content : undefined;
}

function isEarlierText(earlier: Json, later: Json | undefined): boolean {
  if (!isRecord(earlier) || !isRecord(later)) return false;
  const { text } = earlier;
  const { text: whole } = later;
  if (typeof text !== "string" || typeof whole !== "string" || !whole.startsWith(text)) return false;
  return earlier["type"] === later["type"];
}
