import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { useChaosRun } from "../run.js";

const RUN = ["--json", "--seed", "7", "--kills", "3", "--pause-ms", "300", "--no-full-disk", "--no-links"];

async function expectReported(target: string, name: string, row: string): Promise<void> {
  const store = fileURLToPath(new URL(`../broken-bots/${name.replaceAll(" ", "-")}.mjs`, import.meta.url));
  await useChaosRun(["--target", target, "--store", store, ...RUN], async (run) => {
    const { verdict, found } = await run.report();
    expect(verdict).toBe("violated");
    expect(found[row]).toBeGreaterThan(0);
    expect((await run.ended).code).toBe(1);
  });
}

test.concurrent.each([
  ["forgets updates", "doubled"],
  ["ignores lost turns", "doubled"],
  ["replies before it saves", "lost"],
  ["stores prompts twice", "doubled"],
  ["ignores accounts", "mixed"],
  ["counts twice", "miscounted usage"],
  ["interrupts every turn", "wrong outcomes"],
  ["drops updates", "unsettled"],
])("a run reports a bot that %s, and counts it under `%s`", (name, row) => expectReported("bots", name, row));

test.concurrent.each([
  ["forgets updates", "doubled"],
  ["counts twice", "miscounted usage"],
])("a run reports an agent that %s, and counts it under `%s`", (name, row) =>
  expectReported("agents", name, row),
);
