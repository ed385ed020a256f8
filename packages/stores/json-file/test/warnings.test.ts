import { expect, test, vi } from "vitest";
import type { JsonFileWarning } from "../src/warning.js";
import { Warnings } from "../src/warnings.js";

const readOnly = { code: "READ_ONLY", message: "open read-only", path: "/a" } as const;

test("each warning is given once, and kept", () => {
  const given: JsonFileWarning[] = [];
  const warnings = new Warnings((warning) => given.push(warning));
  for (const path of ["/a", "/b", "/a"]) warnings.give({ ...readOnly, path });
  expect(given.map(({ path }) => path)).toEqual(["/a", "/b"]);
  expect(warnings.messages).toEqual(["open read-only", "open read-only"]);
});

test("a hook that throws breaks nothing, and its failure is kept as a warning", () => {
  const warnings = new Warnings(() => {
    throw new Error("no room in the log");
  });
  expect(() => warnings.give(readOnly)).not.toThrow();
  expect(warnings.messages).toEqual(["open read-only", "onWarning failed: no room in the log"]);
});

test("a hook that rejects later is kept as a warning too", async () => {
  const warnings = new Warnings(() => Promise.reject(new Error("the log is gone")));
  warnings.give(readOnly);
  await vi.waitFor(() => expect(warnings.messages).toContain("onWarning failed: the log is gone"));
});

test("without a hook warnings are kept", () => {
  const warnings = new Warnings();
  warnings.give(readOnly);
  expect(warnings.messages).toEqual(["open read-only"]);
});
