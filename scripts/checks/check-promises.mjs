/**
 * Every row of docs/promises/<guide>.md quotes its guide and names tests that exist. A row is
 * `| sentence | [file](path): "title" |`; several tests are separated by `<br>`.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { runCheck } from "./report-findings.mjs";
import { sourceFiles } from "./source-files.mjs";

const folder = "docs/promises/";
const namedTest = /^\[[^\]]+\]\(([^)\s]+)\): "(.+)"$/;

export function checkPromises(top) {
  const pages = sourceFiles(top).filter((file) => file.startsWith(folder) && !file.endsWith("README.md"));
  const findings = [];
  let count = 0;
  for (const page of pages) {
    const guide = `docs/guide/${basename(page)}`;
    const prose = existsSync(join(top, guide)) ? plain(readFileSync(join(top, guide), "utf8")) : "";
    for (const { line, cells } of rows(readFileSync(join(top, page), "utf8"))) {
      count += 1;
      const problems = [problemWithQuote(cells[0], prose, guide), ...problemsWithTests(top, page, cells[1])];
      for (const problem of problems) if (problem) findings.push(`${page}:${line}: ${problem}`);
    }
  }
  return { findings, looked: `${count} promises of ${pages.length} guides` };
}

/** The rows of the tables, without their headings: `{ line, cells }`. */
function* rows(text) {
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    const isRow = line.startsWith("|") && !/^\|[\s:|-]+$/.test(line);
    const isHeading = /^\|[\s:|-]+$/.test(lines[at + 1] ?? "");
    if (!isRow || isHeading) continue;
    const cells = line.split(/(?<!\\)\|/).slice(1, -1);
    yield { line: at + 1, cells: cells.map((cell) => cell.trim().replaceAll("\\|", "|")) };
  }
}

/** Text as a reader sees it: links are their texts, and a line end is a space. */
function plain(text) {
  return text
    .replaceAll("\\|", "|")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/\s+/g, " ");
}

function problemWithQuote(quote, prose, guide) {
  const text = plain(quote);
  if (text !== "" && prose.includes(text)) return undefined;
  return `${guide} does not say "${text}". Quote it as it is, or remove the row.`;
}

function problemsWithTests(top, page, cell) {
  if (!cell) return ["names no test."];
  return cell.split("<br>").map((entry) => problemWithTest(top, page, entry.trim()));
}

function problemWithTest(top, page, entry) {
  const [, path, title] = namedTest.exec(entry) ?? [];
  if (path === undefined) return `"${entry}" is not of the form [file](path): "title".`;
  const file = join(dirname(page), path);
  if (!existsSync(join(top, file))) return `${file} does not exist.`;
  return readFileSync(join(top, file), "utf8").includes(title)
    ? undefined
    : `${file} has no test "${title}".`;
}

runCheck(import.meta, checkPromises);
