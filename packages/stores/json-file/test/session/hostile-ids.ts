/** Ids that have been one file, or no file, or a file elsewhere, in stores before this one. */
export const HOSTILE_IDS: readonly string[] = [
  "user:1",
  "user/1",
  "User:1",
  "user_1",
  "../x",
  "..",
  ".",
  "con",
  "CON",
  "nul",
  "a".repeat(512),
  "😀",
  "\u00e9",
  "e\u0301",
  "~h",
];
