import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Folders that are never checked, even without git, which knows the ignored files. */
const skipped = new Set([
  ".git",
  "node_modules",
  "dist",
  "reports",
  "coverage",
  ".turbo",
  ".tools",
  ".snippets",
]);

/** The repository's own files, relative to `top`: tracked, or new and not ignored. */
export function sourceFiles(top) {
  const files = fromGit(top) ?? [...walk(top, "")];
  return files.filter((file) => !file.split("/").some((name) => skipped.has(name))).sort();
}

/** The same without those that git calls binary: the ones with a NUL. */
export function* textFiles(top) {
  for (const file of sourceFiles(top)) {
    const text = readFileSync(join(top, file), "utf8");
    if (!text.includes("\0")) yield { file, text };
  }
}

function fromGit(top) {
  if (!existsSync(join(top, ".git"))) return undefined;
  const options = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const { status, stdout } = spawnSync("git", options, { cwd: top, encoding: "utf8", maxBuffer: 1 << 28 });
  // git still lists a deleted file before the deletion is committed.
  return status === 0 ? stdout.split("\0").filter((file) => file && existsSync(join(top, file))) : undefined;
}

function* walk(top, folder) {
  for (const entry of readdirSync(join(top, folder), { withFileTypes: true })) {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (skipped.has(entry.name)) continue;
    if (entry.isDirectory()) yield* walk(top, path);
    else if (entry.isFile()) yield path;
  }
}
