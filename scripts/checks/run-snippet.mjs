import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compiledFile } from "./compile-snippets.mjs";

const timeout = 60_000;

/**
 * Runs a compiled snippet in an empty folder. Returns a finding with its output if it fails.
 */
export function runSnippet(top, module) {
  const cwd = mkdtempSync(join(tmpdir(), "snippet-"));
  try {
    const program = ["--enable-source-maps", compiledFile(top, module)];
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, program, {
      cwd,
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
