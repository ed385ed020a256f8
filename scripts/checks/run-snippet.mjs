import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runFile } from "./compile-snippets.mjs";

const timeout = 60_000;

/** Newer versions of Node know it, so that running the snippet does not find it everywhere. */
const usingDeclaration = /\b(?:await\s+)?using\s+[\w$]+\s*(?:=|of\b)/;

/**
 * Runs the text of a snippet, as a reader would paste it into a `.mjs` file, in an empty folder. Returns a finding with its output
 * if it fails.
 */
export function runSnippet(top, module) {
  const declared = module.lines.findIndex((line) => usingDeclaration.test(line));
  if (declared >= 0)
    return [
      `${module.file}:${declared + 1}: Node 20 and 22 do not know \`using\`: call close() in what runs`,
    ];
  const file = runFile(top, module);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${module.lines.join("\n")}\n`);
  const cwd = mkdtempSync(join(tmpdir(), "snippet-"));
  try {
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [file], {
      cwd,
      // Checks that run at the same time start the same servers. Outgoing connections use ports above 32 768.
      env: { ...process.env, PORT: String(randomInt(20_000, 32_000)) },
      encoding: "utf8",
      timeout,
    });
    if (status === 0) return [];
    const end = signal
      ? `was ended by ${signal} (${timeout / 1000} s at most)`
      : `ended with exit code ${status}`;
    return [`${module.file}:${module.line}: the snippet ${end}\n${stdout}${stderr}`.trimEnd()];
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
