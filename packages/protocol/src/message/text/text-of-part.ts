import type { Fields } from "../../json/record.js";
import { stringAt } from "../read-fields.js";

// Which field of which part is what a person wrote or reads. Reasoning is not: `reasoning`, `thinking`,
// `reasoning_text` and `summary_text` stay out. Speech counts by its transcript.
const TEXT_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ["text", "text"],
  ["input_text", "text"],
  ["output_text", "text"],
  ["refusal", "refusal"],
  ["audio", "transcript"],
  ["input_audio", "transcript"],
  ["output_audio", "transcript"],
]);

/** The text of one content part, in any known shape; `undefined` if it has none. */
export function textOfPart(part: Fields): string | undefined {
  const field = TEXT_FIELDS.get(part.type);
  return field === undefined ? undefined : stringAt(part, field);
}
