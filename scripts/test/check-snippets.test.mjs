import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkSnippets } from "../checks/check-snippets.mjs";
import { root } from "../root.mjs";
import { plant } from "./plant.mjs";

function check(files) {
  const top = plant({
    "docs/package.json": { type: "module" },
    "pnpm-workspace.yaml": "packages:\n  - packages/stores/*\n",
    ...files,
  });
  cpSync(join(root, "tsconfig.base.json"), join(top, "tsconfig.base.json"));
  symlinkSync(join(root, "node_modules"), join(top, "node_modules"));
  return checkSnippets(top);
}

const fence = (info, ...lines) => [`\`\`\`${info}`, ...lines, "```", ""].join("\n");
const page = (...fences) => ({ "docs/page.md": ["# Page", "", ...fences].join("\n") });
const findingsOf = (...fences) => check(page(...fences)).findings;

test("snippets that compile and run are fine, and are counted", () => {
  const { findings, looked } = check(
    page(
      fence("ts", "export const one: number = 1;"),
      fence('ts title="src/two.ts"', "export const two = 2;"),
      fence("ts run", 'import { two } from "./src/two.js";'),
      fence("ts continues", "if (two !== 2) process.exit(1);"),
      fence('ts no-check="shows a mistake"', "const x: = 1"),
      fence("sh", "npm test"),
    ),
  );
  expect(findings).toEqual([]);
  expect(looked).toBe("3 snippets (1 run) in 1 documents and sources");
});

test("a snippet that does not compile is found, at its line in the document", () => {
  expect(findingsOf(fence("ts", "", 'const one: number = "1";'))).toEqual([
    expect.stringMatching(/^docs\/page\.md:5:7: error TS2322: /),
  ]);
});

test("what continues a snippet is compiled with it", () => {
  const found = findingsOf(fence("ts", "const one = 1;"), fence("ts continues", "one.toUpperCase();"));
  expect(found).toEqual([expect.stringMatching(/^docs\/page\.md:8:5: error TS2339: /)]);
});

test("a snippet that uses another's names without continuing it is found", () => {
  expect(findingsOf(fence("ts", "const one = 1;"), fence("ts", "one;"))).toHaveLength(1);
});

test("a snippet that fails when run is found, with its output and line", () => {
  const [finding] = findingsOf(fence("ts run", "", 'throw new Error("no luck");'));
  expect(finding).toMatch(/^docs\/page\.md:3: the snippet ended with exit code 1\n/);
  expect(finding).toContain("no luck");
  expect(finding).toContain("line-3.mjs:5:");
});

test("a snippet that runs and declares with `await using` is found, because Node 20 and 22 do not know it", () => {
  const declaration = "await using store = { async [Symbol.asyncDispose]() {} };";
  expect(findingsOf(fence("ts run", "export {};", declaration))).toEqual([
    expect.stringMatching(/^docs\/page\.md:5: .*call close\(\)/),
  ]);
  expect(findingsOf(fence("ts", "export {};", declaration))).toEqual([]);
});

test("a snippet that runs and has a type annotation is found, because a `.mjs` file cannot have one", () => {
  const annotation = "export const one: number = 1;";
  const [finding] = findingsOf(fence("ts run", annotation));
  expect(finding).toMatch(/^docs\/page\.md:3: the snippet ended with exit code 1\n/);
  expect(finding).toContain("SyntaxError");
  expect(findingsOf(fence("ts", annotation))).toEqual([]);
});

test("a snippet that runs may import a TypeScript file of its page", () => {
  const file = fence('ts title="src/two.ts"', "export const two: number = 2;");
  const user = (value) =>
    fence(
      "ts run",
      'import { two } from "./src/two.js";',
      `if (two !== ${value}) throw new Error("not ${value}");`,
    );
  expect(findingsOf(file, user(2))).toEqual([]);
  expect(findingsOf(file, user(3))).toEqual([expect.stringContaining("not 3")]);
});

test("a snippet that runs gets a port of its own, because checks run at the same time", () => {
  const port = 'if (!(Number(process.env["PORT"]) >= 20_000)) throw new Error("no port");';
  expect(findingsOf(fence("ts run", port))).toEqual([]);
});

test.each([
  ["no-check without a reason", 'ts no-check=""'],
  ["no-check without a value", "ts no-check"],
  ["a word that nobody knows", "ts rnu"],
  ["another name for TypeScript", "typescript"],
  ["JavaScript, which would not be checked", "js"],
  ["a title outside of the example", 'ts title="../x.ts"'],
  ["something to continue where nothing is", "ts continues"],
])("%s is found", (_, info) => {
  expect(findingsOf(fence(info, "export {};"))).toEqual([expect.stringMatching(/^docs\/page\.md:3: /)]);
});

test("an example in TSDoc is compiled, with its package's exports at hand", () => {
  const example = (text) => [
    "/**",
    " * Pairs.",
    " *",
    " * ```ts",
    ` * ${text}`,
    " * ```",
    " */",
    "export const pair = 1;",
  ];
  const files = (text) => ({
    "packages/stores/red/package.json": {
      name: "@sessions/red",
      exports: { ".": { types: "./src/index.ts" } },
    },
    "packages/stores/red/src/index.ts": 'export { pair } from "./pair.js";',
    "packages/stores/red/src/pair.ts": example(text).join("\n"),
    "docs/node_modules/@sessions/red/package.json": {
      name: "@sessions/red",
      types: "index.d.ts",
      type: "module",
    },
    "docs/node_modules/@sessions/red/index.d.ts": "export declare const pair: number;",
  });
  expect(check(files("const sum: number = pair + 1;")).findings).toEqual([]);
  expect(check(files("pair.gone();")).findings).toEqual([
    expect.stringMatching(/^packages\/stores\/red\/src\/pair\.ts:5:6: error TS2339: /),
  ]);
});
