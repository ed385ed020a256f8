import { cpSync } from "node:fs";

// What a package ships beside its compiled code. Any system, no shell.
const [from, to] = process.argv.slice(2);
if (from === undefined || to === undefined) throw new Error("usage: node copy.mjs <from> <to>");
cpSync(from, to, { recursive: true });
