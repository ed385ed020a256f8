import { existsSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** What pnpm adds around the output of a script. */
const noise = /^(> .*|\s*ELIFECYCLE\s.*|\s*)$/;

/** The output of tasks, each under its name, in colour only where that is seen as colour. */
export function taskLogs(outcomes, heading) {
  return outcomes.flatMap((outcome) => [
    "",
    `── ${heading(outcome.name)} ──`,
    ...trimmed(read(outcome.logFile)),
  ]);
}

function read(file) {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return process.stdout.isTTY ? text : stripVTControlCharacters(text);
}

function trimmed(text) {
  const lines = text.split("\n");
  const tells = (line) => !noise.test(stripVTControlCharacters(line));
  const first = lines.findIndex(tells);
  return first === -1 ? ["(no output)"] : lines.slice(first, lines.findLastIndex(tells) + 1);
}
