import type { KindOfAnswer } from "./kind-of-answer.js";
import type { Question } from "./question.js";
import { quoted } from "./quoted.js";
import { userTexts } from "./user-texts.js";

const SHOWN = 3;

/** Answers what was said before, from the history that the model got. */
export const thePast: KindOfAnswer = {
  fits: ({ text }) =>
    /what (did|have|was) (i|we|the last thing)\b.*\b(say|said|ask|asked|talk|told|tell|write|wrote)|do you remember (what|me)/i.test(
      text,
    ),
  *answer(question) {
    yield { say: told(question) };
  },
};

function told({ messages, omitted }: Question): string {
  const before = userTexts(messages).slice(0, -1);
  if (before.length === 0) return "Nothing yet: this is the first thing you say in this conversation.";
  const last = before.slice(-SHOWN).map(quoted);
  const more = before.length - last.length + omitted;
  const rest = more === 0 ? "" : ` (and ${more} more before ${last.length === 1 ? "that" : "those"})`;
  return `Before this you said ${last.join(", then ")}${rest}.`;
}
