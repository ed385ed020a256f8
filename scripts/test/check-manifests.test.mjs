import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkManifests } from "../checks/check-manifests.mjs";
import { checks } from "../checks/checks.mjs";
import { root } from "../root.mjs";
import { plant } from "./plant.mjs";

const sound = {
  name: "@sessions/red",
  license: "MIT",
  type: "module",
  sideEffects: false,
  files: ["dist", "src"],
  engines: { node: ">=20.19" },
  publishConfig: { access: "public" },
  exports: { ".": { types: "./a.d.ts", default: "./a.js" }, "./package.json": "./package.json" },
  scripts: { build: "x", "check:types": "x", "check:package": "x", test: "x" },
};

function findingsOf(manifest) {
  const workspace = "packages:\n  - packages/stores/*\n";
  return checkManifests(
    plant({ "pnpm-workspace.yaml": workspace, "packages/stores/red/package.json": manifest }),
  ).findings;
}

test("a package like the others passes", () => {
  expect(findingsOf(sound)).toEqual([]);
});

test("a package that publishes data passes", () => {
  expect(
    findingsOf({ ...sound, exports: { ...sound.exports, "./schema.json": "./src/schema.json" } }),
  ).toEqual([]);
});

test.each([
  ["no tests", { scripts: { ...sound.scripts, test: undefined } }],
  ["no check of what would be published", { scripts: { ...sound.scripts, "check:package": undefined } }],
  ["another licence", { license: "ISC" }],
  ["sources left out", { files: ["dist"] }],
  ["types after default", { exports: { ...sound.exports, ".": { default: "./a.js", types: "./a.d.ts" } } }],
  ["no way to its package.json", { exports: { ".": sound.exports["."] } }],
  ["a name of its own", { name: "red" }],
])("a package with %s is found", (_, change) => {
  expect(findingsOf({ ...sound, ...change })).toHaveLength(1);
});

test("an app whose tests are never run is found", () => {
  const app = (scripts) =>
    plant({
      "pnpm-workspace.yaml": "packages:\n  - apps/*\n",
      "apps/red/package.json": { private: true, scripts: { build: "x", "check:types": "x", ...scripts } },
      "apps/red/test/a.test.ts": "",
    });
  expect(checkManifests(app({})).findings).toEqual(['apps/red/package.json: has no "test" script']);
  expect(checkManifests(app({ test: "x" })).findings).toEqual([]);
});

test("every check is a turbo task with a script in some package", () => {
  const read = (file) => readFileSync(join(root, file), "utf8");
  const { tasks } = JSON.parse(read("turbo.json"));
  for (const task of checks.values()) expect([task in tasks, `//#${task}` in tasks]).toContain(true);
});
