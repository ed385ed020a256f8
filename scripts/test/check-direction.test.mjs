import { expect, test } from "vitest";
import { checkDirection } from "../checks/check-direction.mjs";
import { plant } from "./plant.mjs";

const SQLITE = { "packages/stores/sqlite/package.json": { name: "@sessions/sqlite" } };
const ROW_ENGINE = { "packages/row-engine/package.json": { name: "@sessions/row-engine" } };

const workspace = [
  "packages/protocol",
  "packages/row-engine",
  "packages/turn-runner",
  "packages/conformance",
  "packages/stores/*",
  "packages/integrations/*",
  "apps/*",
];

/** A sound little monorepo, and what is planted in it. */
function findingsOf(planted) {
  return checkDirection(
    plant({
      "pnpm-workspace.yaml": `packages:\n${workspace.map((folder) => `  - ${folder}\n`).join("")}\ncatalog:\n`,
      "packages/protocol/package.json": { name: "@sessions/protocol" },
      "packages/protocol/src/index.ts": 'export { a } from "./a.js";',
      "packages/protocol/src/a.ts": "export const a = 1;",
      "packages/conformance/package.json": { name: "@sessions/conformance" },
      "packages/conformance/src/index.ts":
        'import { test } from "vitest";\nimport "@sessions/protocol";\ntest;',
      "packages/stores/red/package.json": { name: "@sessions/red" },
      "packages/stores/red/src/index.ts":
        'import driver from "driver";\nimport "node:fs";\nimport "@sessions/protocol";',
      "packages/stores/red/test/red.test.ts": 'import "@sessions/conformance";\nimport "../src/index.js";',
      "packages/stores/blue/package.json": { name: "@sessions/blue" },
      "packages/integrations/bot/package.json": { name: "@sessions/bot" },
      "packages/turn-runner/package.json": { name: "@sessions/turn-runner" },
      "packages/turn-runner/src/index.ts": 'import "@sessions/protocol";',
      "packages/integrations/bot/src/index.ts":
        'import type { a } from "@sessions/protocol";\nimport "@sessions/turn-runner";',
      "packages/integrations/bot/test/bot.test.ts": 'import "@sessions/red";\nimport "@sessions/web";',
      "packages/integrations/web/package.json": { name: "@sessions/web" },
      "apps/chat/package.json": {
        name: "chat",
        dependencies: { "@sessions/red": "*", "@sessions/bot": "*" },
      },
      "apps/chat/src/main.ts": 'import "@sessions/red";\nimport "@sessions/bot";',
      ...planted,
    }),
  ).findings;
}

test("what the architecture allows passes", () => {
  expect(findingsOf({})).toEqual([]);
});

test.each([
  ["a store that imports another", "packages/stores/red/src/x.ts", 'import "@sessions/blue";'],
  [
    "a store that imports only a type of another",
    "packages/stores/red/src/x.ts",
    'import type { A } from "@sessions/blue";',
  ],
  ["a store that re-exports another", "packages/stores/red/src/x.ts", 'export * from "@sessions/blue";'],
  ["a store that loads another later", "packages/stores/red/src/x.ts", 'await import("@sessions/blue");'],
  [
    "a store that names a type of another in place",
    "packages/stores/red/src/x.ts",
    'type A = import("@sessions/blue").A;',
  ],
  [
    "a store that reaches into a subpath of another",
    "packages/stores/red/src/x.ts",
    'import "@sessions/blue/x";',
  ],
  ["a store's test that imports another store", "packages/stores/red/test/x.ts", 'import "@sessions/blue";'],
  ["an integration that names a store", "packages/integrations/bot/src/x.ts", 'import "@sessions/red";'],
  [
    "an integration that imports another",
    "packages/integrations/bot/src/x.ts",
    'import type { A } from "@sessions/web";',
  ],
  ["a turn runner that knows an integration", "packages/turn-runner/src/x.ts", 'import "@sessions/bot";'],
  ["the kit that knows a store", "packages/conformance/src/x.ts", 'import "@sessions/red";'],
  ["the kit's test that knows a store", "packages/conformance/test/x.ts", 'import "@sessions/red";'],
  ["a protocol with a dependency", "packages/protocol/src/x.ts", 'import "left-pad";'],
  ["a protocol that needs Node", "packages/protocol/src/x.ts", 'import "node:fs";'],
  ["a protocol that needs Node by its old name", "packages/protocol/src/x.ts", 'import "fs";'],
  ["a protocol that knows a store", "packages/protocol/src/x.ts", 'import "@sessions/red";'],
  ["a protocol's test that knows the kit", "packages/protocol/test/x.ts", 'import "@sessions/conformance";'],
  ["a way around names", "packages/stores/red/src/x.ts", 'import "../../../protocol/src/a.js";'],
  ["a source that needs its tests", "packages/stores/red/src/x.ts", 'import "../test/red.test.js";'],
])("%s is found", (_, file, text) => {
  expect(findingsOf({ [file]: `\n${text}` })).toEqual([expect.stringMatching(`^${file}:2: `)]);
});

test.each([
  ["a folder that imports one above it", "protocol/src/json/x.ts", "../state/y.js"],
  ["a folder that imports only a type of one above it", "protocol/src/json/x.ts", "../state/y.js", "type "],
  ["a folder inside a folder that imports one above it", "protocol/src/json/deep/x.ts", "../../state/y.js"],
  ["a folder that imports a file beside the folders", "protocol/src/json/x.ts", "../index.js"],
  ["a folder that nobody has given a place", "protocol/src/unheard/x.ts", "../json/y.js"],
  ["an engine that imports sessions", "stores/sqlite/src/engine/x.ts", "../session/y.js"],
])("%s is found", (_, path, specifier, kind = "") => {
  const file = `packages/${path}`;
  const planted = { ...SQLITE, [file]: `\nimport ${kind}{ y } from "${specifier}";` };
  expect(findingsOf(planted)).toEqual([expect.stringMatching(`^${file}:2: `)]);
});

test.each([
  ["a folder may import those below it", "protocol/src/state/x.ts", "../json/y.js"],
  ["a folder may import itself", "protocol/src/state/apply/x.ts", "../y.js"],
  ["a file beside the folders may import them all", "protocol/src/x.ts", "./store/y.js"],
  ["a test may import any folder", "protocol/test/json/x.ts", "../../src/state/y.js"],
  ["a folder may import a shared file beside it", "stores/sqlite/src/engine/x.ts", "../options.js"],
  ["a listed exception passes", "stores/sqlite/src/commit/commit-requests.ts", "../upkeep/warnings.js"],
  ["folders of one rank may import each other", "row-engine/src/memory/x.ts", "../session/y.js"],
  ["a package without an order is not judged", "stores/red/src/engine/x.ts", "../session/y.js"],
])("%s", (_, path, specifier) => {
  const planted = { ...SQLITE, ...ROW_ENGINE, [`packages/${path}`]: `import { y } from "${specifier}";` };
  expect(findingsOf(planted)).toEqual([]);
});

test.each([
  ["store", { name: "@sessions/red", dependencies: { "@sessions/blue": "workspace:^" } }],
  ["store", { name: "@sessions/red", peerDependencies: { "@sessions/conformance": "workspace:^" } }],
])("a %s's package.json that lists what it must not import is found", (_, manifest) => {
  expect(findingsOf({ "packages/stores/red/package.json": manifest })).toHaveLength(1);
});

test("a protocol with any dependency in its package.json is found", () => {
  const manifest = {
    name: "@sessions/protocol",
    dependencies: { "left-pad": "*" },
    devDependencies: { vitest: "*" },
  };
  expect(findingsOf({ "packages/protocol/package.json": manifest })).toHaveLength(1);
});

test("files in a cycle are found, also when types alone make it", () => {
  const found = findingsOf({
    "packages/stores/red/src/a.ts": 'import type { B } from "./b.js";\nexport type A = B;',
    "packages/stores/red/src/b.ts": 'import type { A } from "./a.js";\nexport type B = A;',
  });
  expect(found).toEqual([expect.stringContaining("files in a cycle: packages/stores/red/src/a.ts → ")]);
});

test("packages in a cycle are found", () => {
  const found = findingsOf({
    "packages/integrations/bot/package.json": {
      name: "@sessions/bot",
      devDependencies: { "@sessions/web": "*" },
    },
    "packages/integrations/web/package.json": {
      name: "@sessions/web",
      devDependencies: { "@sessions/bot": "*" },
    },
  });
  expect(found).toEqual([expect.stringContaining("packages in a cycle: @sessions/bot → @sessions/web")]);
});

test("a source that cannot be parsed is not passed over", () => {
  expect(() => findingsOf({ "packages/stores/red/src/x.ts": "import {" })).toThrow("cannot be parsed");
});

test("a package in a folder without rules is not passed over", () => {
  const planted = {
    "pnpm-workspace.yaml": "packages:\n  - tools\n",
    "tools/package.json": { name: "tools" },
  };
  expect(() => findingsOf(planted)).toThrow("no layer");
});
