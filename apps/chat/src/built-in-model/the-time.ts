import { inputFields } from "../tools/input-fields.js";
import type { KindOfAnswer } from "./kind-of-answer.js";
import { refusal } from "./refusal.js";

/** Answers the time. */
export const theTime: KindOfAnswer = {
  fits: ({ text }) =>
    /what('s| is)? (the )?(time|date|day)\b|\bwhat day is\b|^(time|date|clock)\W*$/i.test(text),
  *answer() {
    const outcome = yield { use: "clock", input: {} };
    const { here, zone } = inputFields(outcome?.output ?? null);
    yield { say: refusal(outcome) ?? `It is ${String(here)} (${String(zone)}).` };
  },
};
