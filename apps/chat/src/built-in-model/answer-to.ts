import { about } from "./about.js";
import { anythingElse } from "./anything-else.js";
import type { KindOfAnswer } from "./kind-of-answer.js";
import { allNotes, goneNote, newNote } from "./notes.js";
import { goodbye, greeting, thanks } from "./pleasantries.js";
import type { Question } from "./question.js";
import type { Answer } from "./step.js";
import { story } from "./story.js";
import { sums } from "./sums.js";
import { thePast } from "./the-past.js";
import { theTime } from "./the-time.js";

/** The first kind that matches answers. Notes come first, because a note may contain any text. */
const KINDS: readonly KindOfAnswer[] = [
  newNote,
  goneNote,
  about,
  thePast,
  allNotes,
  theTime,
  sums,
  story,
  greeting,
  thanks,
  goodbye,
];

/** The answer to a question. The same conversation gives the same answer. */
export function answerTo(question: Question): Answer {
  const kind = KINDS.find(({ fits }) => fits(question)) ?? anythingElse;
  return kind.answer(question);
}
