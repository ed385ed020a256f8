/**
 * No source file over 300 lines without a reason. Past that, a file usually hides two ideas; where it does
 * not, its first comment says so in a sentence that begins "Over 300 lines because".
 */
import { runCheck } from "./report-findings.mjs";
import { textFiles } from "./source-files.mjs";

const limit = 300;
const source = /\.(ts|mts|tsx|mjs|js|lua)$/;
const reason = /over 300 lines because \S+/i;

export function checkLength(top) {
  const files = [...textFiles(top)].filter(({ file }) => source.test(file));
  const findings = files
    .map(({ file, text }) => ({ file, text, lines: text.replace(/\n$/, "").split("\n").length }))
    .filter(({ text, lines }) => lines > limit && !reason.test(firstComment(text)))
    .map(
      ({ file, lines }) => `${file}: ${lines} lines. Split it, or begin it with "Over 300 lines because …".`,
    );
  return { findings, looked: `${files.length} source files` };
}

/** The comment that the file opens with, as one line; empty if it opens with anything else. */
function firstComment(text) {
  const opening = /^(?:#!.*\n)?\s*(?:\/\*[\s\S]*?\*\/|(?:(?:\/\/|--).*\n?)+)/.exec(text)?.[0] ?? "";
  return opening.replace(/\s*\n\s*(?:\*|\/\/|--)?\s*/g, " ");
}

runCheck(import.meta, checkLength);
