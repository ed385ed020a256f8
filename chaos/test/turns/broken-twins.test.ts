import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { useChaosRun } from "../run.js";

const RUN = ["--json", "--seed", "7", "--kills", "4", "--pause-ms", "300", "--no-full-disk", "--no-links"];

function twin(name: string): string {
  return fileURLToPath(new URL(`../twins/turns/${name.replaceAll(" ", "-")}.mjs`, import.meta.url));
}

async function expectCaught(target: string, name: string, row: string): Promise<void> {
  await useChaosRun(["--target", target, "--store", twin(name), ...RUN], async (run) => {
    const { verdict, found } = await run.report();
    expect(verdict).toBe("violated");
    expect(found[row]).toBeGreaterThan(0);
    expect((await run.ended).code).toBe(1);
  });
}

describe("the run catches a bot that", () => {
  test.concurrent.each([
    ["forgets updates", "doubled"],
    ["ignores lost turns", "doubled"],
    ["replies before it saves", "lost"],
    ["asks again", "doubled"],
    ["knows no accounts", "mixed"],
    ["counts twice", "miscounted usage"],
    ["stops whoever runs", "wrong outcomes"],
    ["drops updates", "unsettled"],
  ])("%s", async (name, row) => expectCaught("bots", name, row));
});

describe("the run catches an agent that", () => {
  test.concurrent.each([
    ["forgets updates", "doubled"],
    ["counts twice", "miscounted usage"],
  ])("%s", async (name, row) => expectCaught("agents", name, row));
});
