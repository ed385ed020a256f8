import type { StoredMessage } from "../turn-line.js";

/** What a whole answer of the scripted model says. */
export interface AnswerText {
  /** The update that it answers. */
  readonly to: number;
  /** The prompts that the model saw without an outcome. */
  readonly sees: readonly number[];
}

const ANSWER = /^to (\d+) sees ([\d,]*) by \S+$/;

/** Reads the text of a whole answer; `undefined` of anything else. */
export function readAnswer(text: string): AnswerText | undefined {
  const [, to, sees = ""] = ANSWER.exec(text) ?? [];
  return to === undefined ? undefined : { to: Number(to), sees: sees.split(",").map(Number) };
}

/** Reads an answer that is stored and complete. */
export function answerIn({ role, status, text }: StoredMessage): AnswerText | undefined {
  return role === "assistant" && status === undefined ? readAnswer(text) : undefined;
}
