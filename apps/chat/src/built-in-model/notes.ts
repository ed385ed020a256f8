import type { Json } from "@sessions/json-file";
import { inputFields } from "../tools/input-fields.js";
import type { ToolOutcome } from "../tools/use-tool.js";
import type { KindOfAnswer } from "./kind-of-answer.js";
import { refusal } from "./refusal.js";
import type { Answer } from "./step.js";

const ADD =
  /^(?:please )?(?:remember(?: that)?|note(?: that)?|(?:add|make|take|write) a note(?: that)?)\b[\s:,-]*(?<note>.+)$/is;
const LIST = /\b(notes|did i note|did you note)\b/i;
const REMOVE = /^(?:please )?(?:forget|remove|delete|drop) note (?<number>\d+)\b/i;

/** Adds a note. */
export const newNote: KindOfAnswer = {
  fits: ({ text }) => ADD.test(text),
  *answer({ text }) {
    const note = ADD.exec(text)?.groups?.["note"] ?? "";
    const outcome = yield { use: "add_note", input: { text: note } };
    yield { say: refusal(outcome) ?? `Noted: ${note.trim()}\n${counted(outcome)}` };
  },
};

/** Removes a note. */
export const goneNote: KindOfAnswer = {
  fits: ({ text }) => REMOVE.test(text),
  *answer({ text }) {
    const number = Number(REMOVE.exec(text)?.groups?.["number"]);
    const outcome = yield { use: "remove_note", input: { number } };
    yield { say: refusal(outcome) ?? `Gone: ${String(inputFields(outcome?.output ?? null)["removed"])}` };
  },
};

/** Lists all notes. */
export const allNotes: KindOfAnswer = {
  fits: ({ text }) => LIST.test(text),
  *answer(): Answer {
    const outcome = yield { use: "list_notes", input: {} };
    yield { say: refusal(outcome) ?? listed(outcome?.output ?? []) };
  },
};

function counted(outcome: ToolOutcome | undefined): string {
  const notes = Number(inputFields(outcome?.output ?? null)["notes"]);
  return `That makes ${notes} ${notes === 1 ? "note" : "notes"} in this conversation.`;
}

function listed(output: Json): string {
  const notes = Array.isArray(output) ? output.map(inputFields) : [];
  if (notes.length === 0) return 'There are no notes yet. Say "remember that …".';
  return ["Your notes:", ...notes.map(({ number, text }) => `  ${number}. ${text}`)].join("\n");
}
