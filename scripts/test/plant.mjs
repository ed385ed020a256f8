import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with the given files, for the length of a test: a small repository with something wrong in it. */
export function plant(files) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "planted-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    const file = join(top, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  return top;
}
