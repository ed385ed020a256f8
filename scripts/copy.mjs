import { cpSync } from "node:fs";

// Copies the files that a package ships beside its compiled code, on any system and without a shell.
const [from, to] = process.argv.slice(2);
if (from === undefined || to === undefined) throw new Error("usage: node copy.mjs <from> <to>");
cpSync(from, to, { recursive: true });
