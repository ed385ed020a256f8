import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)(
  "a run that is stopped by %s leaves nothing behind, not even files of its workers",
  async (signal, code) => {
    const folder = mkdtempSync(join(tmpdir(), "bench-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const run = spawn(process.execPath, [main, "--folder", folder, "--only", "4 processes"], {
      stdio: "inherit",
    });
    onTestFinished(() => void run.kill("SIGKILL"));
    await vi.waitUntil(() => workersWrite(folder), { timeout: 30_000, interval: 5 });
    const exited = once(run, "exit");
    run.kill(signal);
    expect(await exited).toEqual([code, null]);
    expect(readdirSync(folder)).toEqual([]);
  },
);

/** Workers write to sessions of their own before they begin. */
function workersWrite(folder: string): boolean {
  const stores = below(below(below([folder])));
  return below(stores.map((store) => join(store, "sessions"))).some((session) =>
    session.includes("warm-up-w3"),
  );
}

/** What is in these folders. They come and go while the run is under way. */
function below(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) => {
    try {
      return readdirSync(folder).map((name) => join(folder, name));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    }
  });
}
