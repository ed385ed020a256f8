import { calculate } from "./calculate.js";
import { clock } from "./clock.js";
import { addNote, listNotes, removeNote } from "./notes.js";
import type { Tool } from "./tool.js";

/** All tools of the chat. */
export const chatTools = (now: () => Date): readonly Tool[] => [
  addNote,
  listNotes,
  removeNote,
  calculate,
  clock(now),
];
