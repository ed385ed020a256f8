import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LogLine } from "./log-line.js";

/** The log lines of all processes, or of those whose name begins with `prefix`. */
export function readLogs(folder: string, prefix = ""): LogLine[] {
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix) && name.endsWith(".jsonl"));
  const known = new Map<string, string>();
  return names.sort().flatMap((name) => readLog(join(folder, name), known));
}

/** A last line without a line end was torn by a kill and is ignored. Every other line must be whole. */
function readLog(path: string, known: Map<string, string>): LogLine[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return lines.map((line, index) => {
    try {
      return shared(JSON.parse(line), known);
    } catch (error) {
      throw new Error(`${path}:${index + 1}: the log is spoilt`, { cause: error });
    }
  });
}

/** A message id occurs in many reads. Each is kept in memory once, or long runs would not fit. */
function shared(line: LogLine, known: Map<string, string>): LogLine {
  if (line.type !== "ok" || line.result.ids === undefined) return line;
  return { ...line, result: { ...line.result, ids: line.result.ids.map((id) => once(id, known)) } };
}

function once(text: string, known: Map<string, string>): string {
  const same = known.get(text);
  if (same !== undefined) return same;
  known.set(text, text);
  return text;
}
