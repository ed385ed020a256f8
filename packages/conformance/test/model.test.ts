import { runCase, type Section, sections } from "@sessions/conformance";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Fault, socketHarness } from "./socket-store/socket-place.js";

const RUNS = "40";
const SEED = 11;
const TIMEOUT_MS = 300_000;

const found = sections.find((section) => section.name === "model");
const model: Section = found ?? { name: "missing", cases: [] };

const before = process.env["SESSIONS_MODEL_RUNS"];

beforeEach(() => {
  process.env["SESSIONS_MODEL_RUNS"] = RUNS;
});

afterEach(() => {
  if (before === undefined) delete process.env["SESSIONS_MODEL_RUNS"];
  else process.env["SESSIONS_MODEL_RUNS"] = before;
});

function run(fault?: Fault): Promise<void> {
  const [first] = model.cases;
  if (first === undefined) throw new Error("the model has no case");
  return runCase(socketHarness(fault), first, SEED);
}

describe("the model", { timeout: TIMEOUT_MS }, () => {
  test("agrees with a store that has its own clock", async () => {
    for (const one of model.cases) await runCase(socketHarness(), one, SEED);
  });

  for (const fault of [
    "ignores commit ids",
    "ignores fences",
    "ignores preconditions",
    "reads from a cache",
  ] as const) {
    test(`fails for a store that ${fault}, and reports how to repeat the failure`, async () => {
      const error = await run(fault).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(String(error)).toMatch(/SESSIONS_SEED=11 SESSIONS_MODEL_PATH=[\d:]+/);
      expect(String(error)).toMatch(/1\. \{"instance":[01],"commit":\[/);
    });
  }

  test("repeats a failure from its seed and path", async () => {
    const error = await run("ignores preconditions").catch((reason: unknown) => reason);
    const path = /SESSIONS_MODEL_PATH=([\d:]+)/.exec(String(error))?.[1] ?? "";
    process.env["SESSIONS_MODEL_PATH"] = path;
    try {
      await expect(run("ignores preconditions")).rejects.toThrow(/after 1 sequences/);
    } finally {
      delete process.env["SESSIONS_MODEL_PATH"];
    }
  });
});
