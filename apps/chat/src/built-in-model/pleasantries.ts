import type { KindOfAnswer } from "./kind-of-answer.js";
import { userTexts } from "./user-texts.js";

/** Answers a greeting. */
export const greeting: KindOfAnswer = {
  fits: ({ text }) =>
    /^(hello|hi|hey|hallo|moin|good (morning|afternoon|evening|day)|greetings)\b/i.test(text),
  *answer({ messages }) {
    const again = userTexts(messages).length > 1;
    yield {
      say: again
        ? "Hello again. I still know what we said."
        : 'Hello. I am a small built-in program, not a language model. Say "help" and I tell what I can do.',
    };
  },
};

/** Answers thanks. */
export const thanks: KindOfAnswer = {
  fits: ({ text }) => /^(thanks|thank you|thx|cheers)\b/i.test(text),
  *answer() {
    yield { say: "You are welcome." };
  },
};

/** Answers a farewell. */
export const goodbye: KindOfAnswer = {
  fits: ({ text }) => /^(bye|goodbye|good night|see you)\b/i.test(text),
  *answer() {
    yield { say: "Goodbye. /quit leaves; when you come back, this conversation goes on here." };
  },
};
