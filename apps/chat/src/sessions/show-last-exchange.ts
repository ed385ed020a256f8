import { type Message, textOf } from "@sessions/json-file";
import type { Screen } from "../terminal/screen.js";
import { stripControlsLine } from "../terminal/strip-controls.js";

const SHOWN = 160;

/** Shows the last question and the beginning of its answer. */
export function showLastExchange(messages: readonly Message[], screen: Screen): void {
  const at = messages.findLastIndex(({ role }) => role === "user");
  if (at === -1) return;
  const [question, ...answers] = messages.slice(at).map(textOf);
  screen.remark(`  you: ${shortened(question ?? "")}`);
  const answer = answers.join(" ");
  if (answer.trim() !== "") screen.remark(`  answer: ${shortened(answer)}`);
}

function shortened(text: string): string {
  const characters = [...stripControlsLine(text)];
  return characters.length > SHOWN ? `${characters.slice(0, SHOWN).join("")} …` : characters.join("");
}
