import type { KindOfAnswer } from "./kind-of-answer.js";
import { quoted } from "./quoted.js";

/** Says that it does not understand, and shows that it has the history. */
export const anythingElse: KindOfAnswer = {
  fits: () => true,
  *answer({ text, messages, omitted }) {
    const count = messages.length + omitted;
    yield {
      say: `I have no answer to ${quoted(text)}: I am a small built-in program, not a language model. That was message ${count} of this conversation, and it is stored. Say "help" and I tell what I can do.`,
    };
  },
};
