import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { page, withCallPaths } from "../call-paths/call-paths.mjs";

test("the call paths in docs/architecture.md are those that run (`npm run call-paths` writes them)", () => {
  const text = readFileSync(page, "utf8");
  expect(text).toBe(withCallPaths(text));
});
