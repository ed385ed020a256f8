import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";

const PAGE = new URL("../../../docs/guide/writing-your-own-store.md", import.meta.url);
const folder = new URL("../reports/expected-failures/", import.meta.url);
const CASE = "an absent session has no messages";

/** A test file for the guide's store with an expected failure. `fault`: a member of its backend. */
function testFile(expected: string, fault: string): string {
  return `
    import { conformance } from "@sessions/conformance";
    import { createStore } from "@sessions/protocol/backend";
    import { mapBackend } from "./map-store.js";

    await conformance({
      name: "map",
      place: async () => {
        const backend = { ...mapBackend(), ${fault} };
        return { open: async () => createStore(backend), openBackend: async () => backend, cleanup: async () => undefined };
      },
      expectedFailures: [{ section: "getMessages", case: ${JSON.stringify(expected)}, reason: "until it is fixed" }],
    });
  `;
}

const FILES: Readonly<Record<string, string>> = {
  "map-store.ts": /^```ts title="map-store.ts"\n(.*?)^```$/ms.exec(readFileSync(PAGE, "utf8"))?.[1] ?? "",
  "passes.test.ts": testFile(CASE, ""),
  "fails.test.ts": testFile(CASE, "read: async () => { throw new Error('broken') }"),
  "unknown.test.ts": testFile("no such case", ""),
  "vitest.config.mjs":
    'export default { test: { include: ["*.test.ts"], server: { deps: { external: [/\\/dist\\//] } } } };',
};

/** Runs the case that is expected to fail in each file with vitest, and returns the JSON report. */
function report(): Promise<string> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(new URL(name, folder), text);
  const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
  const args = [vitest, "run", "-t", CASE, "--reporter=json", "--maxWorkers=1"];
  // Without the variables that vitest sets for this process.
  const env = { PATH: process.env["PATH"] };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: fileURLToPath(folder), env }, (_error, stdout) =>
      resolve(stdout),
    );
  });
}

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly title: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

describe("an expected failure", () => {
  let results: readonly FileResult[] = [];

  beforeAll(async () => {
    results = JSON.parse(await report()).testResults;
  });

  const resultOf = (name: string): FileResult => {
    const result = results.find((one) => one.name.endsWith(name));
    if (result === undefined) throw new Error(`${name} was not run`);
    return result;
  };
  const caseOf = (name: string): FileResult["assertionResults"][number] | undefined =>
    resultOf(name).assertionResults.find(({ title }) => title.includes(CASE));

  test("fails the run when its case passes", () => {
    expect(resultOf("passes.test.ts").status).toBe("failed");
    expect(caseOf("passes.test.ts")).toMatchObject({
      title: expect.stringContaining("expected to fail, until it is fixed"),
      status: "failed",
      failureMessages: [expect.stringContaining("Expect test to fail")],
    });
  });

  test("passes while its case fails", () => {
    expect(resultOf("fails.test.ts").status).toBe("passed");
    expect(caseOf("fails.test.ts")?.status).toBe("passed");
  });

  test("that names no case of the kit stops the run", () => {
    const { status, message } = resultOf("unknown.test.ts");
    expect(status).toBe("failed");
    expect(message).toContain("there is no such case: getMessages: no such case");
  });
});
