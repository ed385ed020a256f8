import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type FaultsRun, useFaultsRun } from "./run.js";

/** Processes with the folder of the run in their arguments. */
function processes(run: FaultsRun): string[] {
  const all = execFileSync("ps", ["-A", "-o", "pid=,args="], { encoding: "utf8" }).split("\n");
  return all.filter((line) => line.includes(run.folder));
}

test("a run that is stopped by Ctrl-C leaves no process and no folder behind", async () => {
  await useFaultsRun(["--store", "sqlite"], async (run) => {
    await expect.poll(() => processes(run).length, { timeout: 30_000 }).toBeGreaterThan(0);
    run.signalGroup("SIGINT");
    const { code, output } = await run.ended;
    expect(code).toBe(130);
    expect(output).toContain("INTERRUPTED");
    expect(processes(run)).toEqual([]);
    expect(readdirSync(run.folder)).toEqual([]);
  });
});

test("a run whose store hangs fails, and says what the process did last", async () => {
  const twin = fileURLToPath(new URL("./twins/never-opens.mjs", import.meta.url));
  await useFaultsRun(["--store", twin, "--silence-ms", "3000"], async (run) => {
    const { code, errors } = await run.ended;
    expect(code).toBe(1);
    expect(errors).toMatch(/never-opens\.mjs said nothing for 3000 ms; its last step was starting/);
    expect(readdirSync(run.folder)).toEqual([]);
  });
});

describe("the command line", () => {
  test("--help lists every option", async () => {
    await useFaultsRun(["--help"], async (run) => {
      const { code, output } = await run.ended;
      expect(code).toBe(0);
      for (const option of ["--store", "--sample", "--seed", "--only", "--call", "--silence-ms", "--json"])
        expect(output).toContain(option);
    });
  });

  test("an unknown store is refused, and no file is made", async () => {
    await useFaultsRun(["--store", "sand"], async (run) => {
      const { code, errors } = await run.ended;
      expect(code).toBe(1);
      expect(errors).toContain('"sand" is none of json-file');
      expect(readdirSync(run.folder)).toEqual([]);
    });
  });
});
