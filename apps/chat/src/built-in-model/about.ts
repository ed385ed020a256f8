import type { KindOfAnswer } from "./kind-of-answer.js";

const ABOUT = `I am a small built-in program, not a language model: I look for a few words and answer by rule, always the same way. For a real model, set OPENAI_API_KEY (or OPENAI_BASE_URL, for a server of your own) and start again.`;

const CAN = `Try one of these:
  remember that the lamp needs oil
  show my notes
  forget note 1
  what is 12 * (3 + 4)?
  what time is it?
  what did I say before?
  tell me a long story    (kill this process in the middle of it, and start it again)
/help lists the commands of the chat.`;

/** Answers questions about the built-in model. */
export const about: KindOfAnswer = {
  fits: ({ text }) =>
    /^(help|\?)\W*$|what can (you|i)|who are you|what are you|are you (an? )?(ai|bot|llm|human|model|program)/i.test(
      text,
    ),
  *answer() {
    yield { say: `${ABOUT}\n${CAN}` };
  },
};
