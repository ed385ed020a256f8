import type { Question } from "./question.js";
import type { Answer } from "./step.js";

/** A kind of question with its answer. */
export interface KindOfAnswer {
  readonly fits: (question: Question) => boolean;
  readonly answer: (question: Question) => Answer;
}
