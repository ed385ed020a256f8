/**
 * No file contains an address of its author's machine: no home folder, no path of this checkout, no package registry. This
 * includes the lockfile, because an install elsewhere would use a registry that only the author can reach.
 */
import { homedir } from "node:os";
import { root } from "../root.mjs";
import { runCheck } from "./report-findings.mjs";
import { textFiles } from "./source-files.mjs";

const boundary = String.raw`(?<![\w.@/-])`;

const general = [
  { what: "a home folder", pattern: new RegExp(String.raw`${boundary}/(?:home|Users)/[\w.-]+`) },
  { what: "a home folder", pattern: /[A-Za-z]:\\+Users\\+[\w.-]+/ },
  {
    what: "a package registry",
    pattern: /https?:\/\/[\w.-]*(?:registry|npmmirror|verdaccio|artifactory)[\w.:-]*/i,
  },
  { what: "the address of a package", pattern: /https?:\/\/[^\s"'`)]+\.tgz/i },
  { what: "a tarball address in a lockfile", pattern: /\btarball: ['"]?(?:https?|file):\S*/ },
];

/** Folders that every machine has. A checkout below one of them reveals nothing. */
const everywhere = new Set(["", "tmp", "usr", "var", "etc", "opt", "srv", "mnt", "dev", "proc", "private"]);

export function checkAddresses(top, here = [root, homedir()]) {
  const patterns = [...general, ...here.flatMap(thisMachine)];
  const files = [...textFiles(top)];
  const findings = files.flatMap(({ file, text }) => inFile(file, text, patterns));
  return { findings, looked: `${files.length} files` };
}

function inFile(file, text, patterns) {
  return text.split("\n").flatMap((line, at) => {
    const found = patterns.find(({ pattern }) => pattern.test(line));
    return found ? [`${file}:${at + 1}: ${found.what}: ${found.pattern.exec(line)[0].trim()}`] : [];
  });
}

/** A path that begins like one of this machine. */
function thisMachine(path) {
  const first = path.split("/")[1] ?? "";
  if (!path.startsWith("/") || everywhere.has(first)) return [];
  const literal = first.replace(/[^\w-]/g, "\\$&");
  return [{ what: "a path of this machine", pattern: new RegExp(`${boundary}/${literal}(?![\\w-])`) }];
}

runCheck(import.meta, checkAddresses);
