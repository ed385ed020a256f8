import { expect, test } from "vitest";
import { checkPackage } from "../checks/check-package.mjs";
import { plant } from "./plant.mjs";

const manifest = {
  name: "@sessions/planted",
  version: "0.0.0",
  license: "MIT",
  type: "module",
  files: ["dist"],
  exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
};
const files = {
  "dist/index.js": "export const a = 1;\n",
  "dist/index.d.ts": "export declare const a: number;\n",
};

test("a sound package passes", async () => {
  const { findings } = await checkPackage(plant({ "package.json": manifest, ...files }));
  expect(findings).toEqual([]);
});

test("an export that is not in the package is found", async () => {
  const { findings } = await checkPackage(
    plant({ "package.json": manifest, "dist/index.d.ts": "export {};\n" }),
  );
  expect(findings).toContainEqual(expect.stringContaining("publint: "));
});

test("types that users' compilers cannot follow are found", async () => {
  const declarations = {
    "dist/index.d.ts": 'export { a } from "./a";\n',
    "dist/a.d.ts": files["dist/index.d.ts"],
  };
  const { findings } = await checkPackage(plant({ "package.json": manifest, ...files, ...declarations }));
  expect(findings).toContainEqual(expect.stringContaining("are-the-types-wrong: "));
});

test("a package without types is found", async () => {
  const untyped = { ...manifest, exports: { ".": "./dist/index.js" } };
  const { findings } = await checkPackage(
    plant({ "package.json": untyped, "dist/index.js": files["dist/index.js"] }),
  );
  expect(findings).toContainEqual(expect.stringContaining("are-the-types-wrong: "));
});

test("a declaration that needs a global which users may lack is found", async () => {
  const modern = { "dist/index.d.ts": "export declare const a: AsyncDisposable;\n" };
  const { findings } = await checkPackage(plant({ "package.json": manifest, ...files, ...modern }));
  expect(findings).toEqual([
    expect.stringMatching(/^a user's compiler \(browser\): dist\/index\.d\.ts\(1,25\): /),
  ]);
});
