import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const source = (file: string): string => readFileSync(new URL(`../../src/${file}`, import.meta.url), "utf8");

/** Members of the interfaces in a file whose line is not preceded by the end of a comment. */
function undocumented(file: string): string[] {
  const text = source(file);
  const lines = text.slice(text.indexOf("export interface")).split("\n");
  const isMember = (line: string): boolean => /^ {2}(?:readonly )?[a-zA-Z]+\??[(:<]/.test(line);
  return lines.filter((line, index) => isMember(line) && lines[index - 1]?.trimEnd().endsWith("*/") !== true);
}

test("every method of the public interfaces is documented", () => {
  expect(undocumented("api/session-methods.ts")).toEqual([]);
  expect(undocumented("api/session-store.ts")).toEqual([]);
  expect(undocumented("api/turn.ts")).toEqual([]);
  expect(undocumented("backend/session-backend.ts")).toEqual([]);
});

test("the check finds interface members", () => {
  const members = source("api/session-methods.ts").match(/^ {2}[a-zA-Z]+\(/gm) ?? [];
  expect(members.length).toBeGreaterThan(30);
});
