import type { StoredMessage } from "../turn-line.js";

/** The content of a complete answer of the scripted model. */
export interface AnswerText {
  /** The update that it answers. */
  readonly to: number;
  /** The prompts without an outcome that the model saw. */
  readonly sees: readonly number[];
}

const ANSWER = /^to (\d+) sees ([\d,]*) by \S+$/;

/** Reads the text of a complete answer. Returns `undefined` for any other text. */
export function readAnswer(text: string): AnswerText | undefined {
  const [, to, sees = ""] = ANSWER.exec(text) ?? [];
  return to === undefined ? undefined : { to: Number(to), sees: sees.split(",").map(Number) };
}

/** Reads a stored message that is a complete answer. */
export function answerIn({ role, status, text }: StoredMessage): AnswerText | undefined {
  return role === "assistant" && status === undefined ? readAnswer(text) : undefined;
}
