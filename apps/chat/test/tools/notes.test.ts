import type { JsonObject } from "@sessions/json-file";
import { expect, test } from "vitest";
import { DraftState } from "../../src/tools/draft-state.js";
import { addNote, listNotes, removeNote } from "../../src/tools/notes.js";

const draft = (turnId: string, state: JsonObject = {}) => new DraftState({ turnId, state });

/** What the session holds after a turn's changes. */
function stored(state: JsonObject, changes: JsonObject | undefined): JsonObject {
  return Object.fromEntries(Object.entries({ ...state, ...changes }).filter(([, value]) => value !== null));
}

test("notes are listed in the turn that adds them, and in later ones", () => {
  const first = draft("t1");
  addNote.run({ text: "oil" }, first);
  addNote.run({ text: " wick " }, first);
  const notes = [
    { number: 1, text: "oil" },
    { number: 2, text: "wick" },
  ];
  expect(listNotes.run({}, first)).toEqual(notes);
  expect(listNotes.run({}, draft("t2", stored({}, first.takeChanges())))).toEqual(notes);
});

test("two turns that add notes at once do not overwrite each other", () => {
  const [one, other] = [draft("t1"), draft("t2")];
  addNote.run({ text: "one" }, one);
  addNote.run({ text: "other" }, other);
  const both = stored(stored({}, one.takeChanges()), other.takeChanges());
  expect(listNotes.run({}, draft("t3", both))).toHaveLength(2);
});

test("a turn that runs again adds its note once", () => {
  const attempts = [draft("t1"), draft("t1")];
  for (const attempt of attempts) addNote.run({ text: "oil" }, attempt);
  const [first, second] = attempts.map((attempt) => attempt.takeChanges());
  expect(second).toEqual(first);
});

test("the number of a removed note is not used again while there are higher ones", () => {
  const state = draft("t1");
  for (const text of ["a", "b", "c"]) addNote.run({ text }, state);
  const held = stored({}, state.takeChanges());
  const later = draft("t2", held);
  expect(removeNote.run({ number: 2 }, later)).toEqual({ removed: "b" });
  addNote.run({ text: "d" }, later);
  const changes = later.takeChanges();
  expect(Object.values(changes ?? {})).toContain(null);
  expect(listNotes.run({}, draft("t3", stored(held, changes)))).toEqual([
    { number: 1, text: "a" },
    { number: 3, text: "c" },
    { number: 4, text: "d" },
  ]);
});

test("wrong input is refused with a message", () => {
  expect(() => addNote.run({}, draft("t"))).toThrow('needs a "text"');
  expect(() => addNote.run("oil", draft("t"))).toThrow('needs a "text"');
  expect(() => removeNote.run({ number: 7 }, draft("t"))).toThrow("There is no note 7");
});

test("changes of the state are returned once", () => {
  const state = draft("t");
  expect(state.takeChanges()).toBeUndefined();
  addNote.run({ text: "a" }, state);
  expect(state.takeChanges()).toBeDefined();
  expect(state.takeChanges()).toBeUndefined();
});
