import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { useFaultsRun } from "./run.js";

test("a run that is stopped by Ctrl-C leaves no process and no folder behind", async () => {
  await useFaultsRun(["--store", "sqlite"], async (run) => {
    await expect.poll(() => run.processes().length, { timeout: 30_000 }).toBeGreaterThan(0);
    run.signalGroup("SIGINT");
    const { code, output } = await run.ended;
    expect(code).toBe(130);
    expect(output).toContain("INTERRUPTED");
    expect(run.processes()).toEqual([]);
    expect(readdirSync(run.folder)).toEqual([]);
  });
});

test("a run whose store hangs fails, and reports the last step of the process", async () => {
  const store = fileURLToPath(new URL("./broken-stores/never-opens.mjs", import.meta.url));
  await useFaultsRun(["--store", store, "--silence-ms", "3000"], async (run) => {
    const { code, errors } = await run.ended;
    expect(code).toBe(1);
    expect(errors).toMatch(/never-opens\.mjs said nothing for 3000 ms; its last step was starting/);
    expect(readdirSync(run.folder)).toEqual([]);
  });
});

test("`--help` lists every option", async () => {
  await useFaultsRun(["--help"], async (run) => {
    const { code, output } = await run.ended;
    expect(code).toBe(0);
    for (const option of ["--store", "--sample", "--seed", "--only", "--call", "--silence-ms", "--json"])
      expect(output).toContain(option);
  });
});

test("an unknown store is refused, and no folder is made", async () => {
  await useFaultsRun(["--store", "sand"], async (run) => {
    const { code, errors } = await run.ended;
    expect(code).toBe(1);
    expect(errors).toContain('"sand" is none of json-file');
    expect(readdirSync(run.folder)).toEqual([]);
  });
});
