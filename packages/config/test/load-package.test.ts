import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { loadPackage } from "../src/load-package.js";
import { temporaryFolder } from "./temporary-folder.js";

const missing = (): Promise<unknown> => {
  const message = "Cannot find package '@sessions/gone' imported from here";
  return Promise.reject(Object.assign(new Error(message), { code: "ERR_MODULE_NOT_FOUND" }));
};

const packageOf = (code: string): Readonly<Record<string, string>> => ({
  "node_modules/@sessions/gone/package.json": JSON.stringify({
    name: "@sessions/gone",
    type: "module",
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
  }),
  "node_modules/@sessions/gone/index.js": code,
});

test("the package of the project takes precedence", async () => {
  const folder = await temporaryFolder(packageOf('export const from = "the project";'));
  const literal = async () => ({ from: "elsewhere" });
  expect(await loadPackage("@sessions/gone", literal, { folder, env: {} })).toMatchObject({
    from: "the project",
  });
  expect(await loadPackage("@sessions/other", literal, { folder, env: {} })).toEqual({ from: "elsewhere" });
});

test.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>]>([
  ["npm install @sessions/gone", {}, {}],
  [
    "npm install @sessions/gone",
    { "package-lock.json": "{}" },
    { npm_config_user_agent: "pnpm/10 node/v20" },
  ],
  ["pnpm add @sessions/gone", { "pnpm-lock.yaml": "" }, { npm_config_user_agent: "npm/11 node/v20" }],
  ["yarn add @sessions/gone", { "yarn.lock": "" }, {}],
  ["bun add @sessions/gone", { "bun.lock": "" }, {}],
  ["yarn add @sessions/gone", { "package.json": '{ "packageManager": "yarn@4.1.0" }' }, {}],
  ["pnpm add @sessions/gone", {}, { npm_config_user_agent: "pnpm/10.34.9 npm/? node/v20" }],
])("a missing package gives the command to install it: %s", async (command, files, env) => {
  const folder = await temporaryFolder(files);
  await expect(loadPackage("@sessions/gone", missing, { folder, env })).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
    retryable: false,
    message: `This store needs the package @sessions/gone. Run: ${command}`,
  });
});

test("the error for a package that cannot be loaded does not say that it is missing", async () => {
  const folder = await temporaryFolder(packageOf('import "nothing-of-this-name";'));
  await expect(loadPackage("@sessions/gone", missing, { folder, env: {} })).rejects.toMatchObject({
    code: "STORE_UNAVAILABLE",
    retryable: false,
    message: expect.stringMatching(/is installed but cannot be loaded: .*nothing-of-this-name/s),
  });
});

test("a bundler finds every store package", async () => {
  const folder = await temporaryFolder();
  const { metafile } = await build({
    entryPoints: [new URL("../src/index.ts", import.meta.url).pathname],
    bundle: true,
    platform: "node",
    format: "esm",
    metafile: true,
    outfile: join(folder, "bundle.js"),
    external: ["better-sqlite3", "@sessions/redis"],
  });
  const inputs = Object.keys(metafile.inputs).join("\n");
  for (const store of ["json-file", "sqlite", "memory"])
    expect(inputs).toContain(`stores/${store}/dist/index.js`);
  expect(await readFile(join(folder, "bundle.js"), "utf8")).toContain('import("@sessions/redis")');
});
