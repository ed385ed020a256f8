import { expressionIn } from "../arithmetic/expression-in.js";
import { inputFields } from "../tools/input-fields.js";
import type { KindOfAnswer } from "./kind-of-answer.js";
import { refusal } from "./refusal.js";

/** Answers arithmetic. */
export const sums: KindOfAnswer = {
  fits: ({ text }) => expressionIn(text) !== undefined,
  *answer({ text }) {
    const expression = expressionIn(text) ?? "";
    const outcome = yield { use: "calculate", input: { expression } };
    yield {
      say: refusal(outcome) ?? `${expression} = ${String(inputFields(outcome?.output ?? null)["value"])}`,
    };
  },
};
