import type { Question } from "./question.js";
import type { Answer } from "./step.js";

/** One thing that the built-in model knows how to answer. */
export interface KindOfAnswer {
  readonly fits: (question: Question) => boolean;
  readonly answer: (question: Question) => Answer;
}
