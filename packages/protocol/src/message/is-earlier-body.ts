import { equalJson } from "../json/equal-json.js";
import type { Json } from "../json/json.js";
import { isRecord } from "../json/record.js";

/** What a message says, wherever it says it. */
interface Body {
  readonly [field: string]: Json | undefined;
}

/** Whether `body` grew from `earlier` by what `extend` appends: more text at the end, or more parts. */
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

/** As parts, so that a text which went on as parts can be compared; `undefined` for what cannot be extended. */
function partsOf(body: Body): readonly Json[] | undefined {
  const said = body["content"] ?? body["parts"] ?? "";
  if (typeof said === "string") return said === "" ? [] : [{ type: "text", text: said }];
  return Array.isArray(said) ? said : undefined;
}

function isEarlierText(earlier: Json, later: Json | undefined): boolean {
  if (!isRecord(earlier) || !isRecord(later)) return false;
  const { text } = earlier;
  const { text: whole } = later;
  if (typeof text !== "string" || typeof whole !== "string" || !whole.startsWith(text)) return false;
  return earlier["type"] === later["type"];
}
