import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";

// The files are those of the page.
const PAGE = new URL("../../../docs/guide/writing-your-own-store.md", import.meta.url);
const TITLED_FENCE = /^```ts title="([^"]+)"\n(.*?)^```$/gms;

// Below this package, so that their imports resolve. vitest transpiles them.
const folder = new URL("../reports/example-store/", import.meta.url);

const files = new Map<string, string>();
for (const [, name = "", text = ""] of readFileSync(PAGE, "utf8").matchAll(TITLED_FENCE))
  files.set(name, text);
mkdirSync(folder, { recursive: true });
for (const [name, text] of files) writeFileSync(new URL(name, folder), text);

function linesOf(name: string): number {
  return files.get(name)?.trimEnd().split("\n").length ?? Number.NaN;
}

test("the example store in the documentation has at most 60 lines", () => {
  expect(linesOf("map-store.ts")).toBeLessThanOrEqual(60);
});

test("the harness of the example store has at most 25 lines", () => {
  expect(linesOf("conformance.test.ts")).toBeLessThanOrEqual(25);
});

// Registers the kit over the example store.
await import(new URL("conformance.test.ts", folder).href);
