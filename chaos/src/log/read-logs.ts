import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LogLine } from "./log-line.js";

/** The log lines of all processes, or of those whose name begins with `prefix`. */
export function readLogs(folder: string, prefix = ""): LogLine[] {
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix) && name.endsWith(".jsonl"));
  const ids = new Map<string, string>();
  return names.sort().flatMap((name) => readLog(join(folder, name), ids));
}

/** Ignores a last line without a line end: a kill has torn it. Every other line must be whole. */
function readLog(path: string, ids: Map<string, string>): LogLine[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return lines.map((line, index) => {
    try {
      return withSharedIds(JSON.parse(line), ids);
    } catch (error) {
      throw new Error(`${path}:${index + 1}: the log is spoilt`, { cause: error });
    }
  });
}

/** Keeps each message id in memory once. It occurs in many reads, and the logs of long runs would not fit otherwise. */
function withSharedIds(line: LogLine, shared: Map<string, string>): LogLine {
  if (line.type !== "ok" || line.result.ids === undefined) return line;
  return { ...line, result: { ...line.result, ids: line.result.ids.map((id) => intern(id, shared)) } };
}

function intern(text: string, shared: Map<string, string>): string {
  const same = shared.get(text);
  if (same !== undefined) return same;
  shared.set(text, text);
  return text;
}
