import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { useFaultsRun } from "./run.js";

/** A broken store, the operation and the system call that show the fault, and the expected violation. */
const BROKEN_STORES: readonly (readonly [name: string, operation: string, call: string, finding: RegExp])[] =
  [
    ["json-file-says-nothing-changed", "incrementCounters", "sync", /a new store shows something else/],
    ["sqlite-says-nothing-changed", "incrementCounters", "sync", /a store after a kill shows something else/],
    ["json-file-swallows-enospc", "incrementCounters", "write", /a new store shows something else/],
    ["sqlite-swallows-enospc", "incrementCounters", "write", /a new store shows something else/],
    [
      "json-file-continues-short-writes",
      "three callers at once",
      "write",
      /a new store shows something else/,
    ],
  ];

test.concurrent.each(BROKEN_STORES)(
  "a run reports the broken store %s",
  async (name, operation, call, finding) => {
    const store = fileURLToPath(new URL(`./broken-stores/${name}.mjs`, import.meta.url));
    await useFaultsRun(["--store", store, "--only", operation, "--call", call, "--json"], async (run) => {
      const { verdict, stores } = await run.report();
      expect(verdict).toBe("violated");
      expect((await run.ended).code).toBe(1);
      expect(stores[0]?.violations.flatMap(({ what }) => what).join("\n")).toMatch(finding);
    });
  },
);
