import type { Json } from "@sessions/json-file";
import type { DraftState } from "./draft-state.js";
import { inputFields } from "./input-fields.js";
import type { Tool } from "./tool.js";
import { ToolError } from "./tool-error.js";

/** One key for each note, so that two turns that add notes at once do not overwrite each other. */
const PREFIX = "note:";

const text = { type: "string", description: "What to remember" };
const number = { type: "integer", description: "The note's number, as list_notes tells it" };

/** A tool that adds a note to the conversation. */
export const addNote: Tool = {
  name: "add_note",
  description: "Keeps a note in this conversation, from the end of your answer on.",
  parameters: { type: "object", properties: { text }, required: ["text"] },
  run(input, state) {
    const note = inputFields(input)["text"];
    if (typeof note !== "string" || note.trim() === "") throw new ToolError('add_note needs a "text"');
    state.set(state.newKey(PREFIX), { number: highestNumber(state) + 1, text: note.trim() });
    return { notes: notesIn(state).length };
  },
};

/** A tool that lists the notes of the conversation. */
export const listNotes: Tool = {
  name: "list_notes",
  description: "Lists the notes that are kept in this conversation, oldest first.",
  parameters: { type: "object", properties: {} },
  run: (_input, state) => notesIn(state).map(({ number, text }) => ({ number, text })),
};

/** A tool that removes a note. */
export const removeNote: Tool = {
  name: "remove_note",
  description: "Removes a note by its number, from the end of your answer on.",
  parameters: { type: "object", properties: { number }, required: ["number"] },
  run(input, state) {
    const wanted = inputFields(input)["number"];
    const note = notesIn(state).find((candidate) => candidate.number === wanted);
    if (note === undefined) throw new ToolError(`There is no note ${JSON.stringify(wanted ?? null)}`);
    state.set(note.key, null);
    return { removed: note.text };
  },
};

interface Note {
  readonly key: string;
  readonly number: number;
  readonly text: string;
}

function notesIn(state: DraftState): readonly Note[] {
  const notes = state.entries().filter(([key]) => key.startsWith(PREFIX));
  return notes.map(([key, value]) => noteOf(key, value)).sort((one, other) => one.number - other.number);
}

function noteOf(key: string, value: Json): Note {
  const { number, text } = inputFields(value);
  return { key, number: Number(number), text: String(text) };
}

const highestNumber = (state: DraftState): number =>
  Math.max(0, ...notesIn(state).map((note) => note.number));
