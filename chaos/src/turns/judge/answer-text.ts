import type { StoredMessage } from "../turn-line.js";

/** What a whole answer of the scripted model says. */
export interface AnswerText {
  /** The update that it answers. */
  readonly to: number;
  /** The prompts that the model saw without an outcome. */
  readonly sees: readonly number[];
}

const ANSWER = /^to (\d+) sees ([\d,]*) by \S+$/;

/** Reads an answer that is stored and complete; `undefined` of anything else. */
export function answerIn({ role, status, text }: StoredMessage): AnswerText | undefined {
  const [, to, sees = ""] = (role === "assistant" && status === undefined && ANSWER.exec(text)) || [];
  if (to === undefined) return undefined;
  return { to: Number(to), sees: sees.split(",").map(Number) };
}
