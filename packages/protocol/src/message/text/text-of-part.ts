import type { Fields } from "../../json/record.js";
import { stringAt } from "../read-fields.js";

// For each type of part, the field with the text that a person wrote or reads. Reasoning (`reasoning`, `thinking`,
// `reasoning_text`, `summary_text`) is not such text. The text of speech is its transcript.
const TEXT_FIELDS: ReadonlyMap<unknown, string> = new Map([
  ["text", "text"],
  ["input_text", "text"],
  ["output_text", "text"],
  ["refusal", "refusal"],
  ["audio", "transcript"],
  ["input_audio", "transcript"],
  ["output_audio", "transcript"],
]);

/** The text of one content part of any known type; `undefined` if it has none. */
export function textOfPart(part: Fields): string | undefined {
  const field = TEXT_FIELDS.get(part.type);
  return field === undefined ? undefined : stringAt(part, field);
}
