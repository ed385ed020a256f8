/** Every relative link in a Markdown file leads to a file that is there, and to a heading that is in it. */
import { readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { headingAnchors } from "./heading-anchors.mjs";
import { proseLines } from "./markdown.mjs";
import { runCheck } from "./report-findings.mjs";
import { sourceFiles } from "./source-files.mjs";

const patterns = [
  // [text](target) and ![text](target "title"), target in <…> or bare with balanced parentheses
  /\]\(\s*(?:<([^>]*)>|((?:[^\s()]|\([^\s()]*\))*))(?:\s+["'(][^)]*)?\s*\)/g,
  // [label]: target
  /^\s{0,3}\[[^\]]+\]:\s+(?:<([^>]*)>|(\S+))/g,
  // <a href="target"> and <img src="target">
  /<(?:a|img|source)\b[^>]*\s(?:href|src)=(?:"([^"]*)"|'([^']*)')/gi,
];

export function checkLinks(top) {
  const files = sourceFiles(top);
  const documents = files.filter((file) => file.endsWith(".md"));
  const known = new Set([...files, ...files.flatMap(foldersOf)]);
  const findings = [];
  let count = 0;
  for (const file of documents) {
    for (const { target, line } of relativeLinks(readFileSync(join(top, file), "utf8"))) {
      count += 1;
      const problem = problemWith(top, known, file, target);
      if (problem) findings.push(`${file}:${line}: ${target}: ${problem}`);
    }
  }
  return { findings, looked: `${count} links in ${documents.length} documents` };
}

function* relativeLinks(text) {
  for (const [at, line] of proseLines(text).entries()) {
    const visible = line.replace(/(`+)[^`].*?\1/g, (code) => code.replace(/[[\]()<>]/g, " "));
    for (const match of patterns.flatMap((pattern) => [...visible.matchAll(pattern)])) {
      const target = match[1] ?? match[2] ?? "";
      if (!/^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(target)) yield { target, line: at + 1 };
    }
  }
}

/** A link must lead to what the repository holds: an ignored file is there for its author only. */
const foldersOf = (file) => file.split("/").map((_, at, names) => names.slice(0, at).join("/") || ".");

function problemWith(top, known, from, target) {
  if (target === "") return "an empty link";
  if (target.startsWith("/")) return "not relative: it works nowhere but on one host";
  const [path, anchor] = target.split("#");
  const file = path === "" ? from : posix.join(posix.dirname(from), decodeURI(path.replace(/\?.*$/, "")));
  if (file.startsWith("..")) return "leads out of the repository";
  if (!known.has(file.replace(/(?<=.)\/$/, ""))) return "no such file in the repository";
  return anchor === undefined ? undefined : problemWithAnchor(join(top, file), decodeURI(anchor));
}

function problemWithAnchor(file, anchor) {
  if (statSync(file).isDirectory()) return "a folder has no anchors";
  const text = readFileSync(file, "utf8");
  if (file.endsWith(".md")) return headingAnchors(text).has(anchor) ? undefined : "no such heading";
  const line = /^L(\d+)(?:-L\d+)?$/.exec(anchor)?.[1];
  return line && Number(line) <= text.split("\n").length ? undefined : "no such line";
}

runCheck(import.meta, checkLinks);
