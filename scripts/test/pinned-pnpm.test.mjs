import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pinnedPnpm } from "../bootstrap/pinned-pnpm.mjs";
import { root } from "../root.mjs";
import { plant } from "./plant.mjs";

const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const folder = packageManager.replace("@", "-");

/** The id of a process that has ended. */
const deadProcess = () => spawnSync(process.execPath, ["-e", ""]).pid;

test("an existing pnpm is used", async () => {
  const tools = plant({ [`${folder}/node_modules/pnpm/bin/pnpm.cjs`]: "" });
  const said = [];
  const { script } = await pinnedPnpm((step) => said.push(step), tools);
  expect(script).toBe(join(tools, folder, "node_modules/pnpm/bin/pnpm.cjs"));
  expect(said).toEqual([]);
});

test("the incomplete download of a killed run is removed, and that of a running one is not", async () => {
  const alive = `partial-${process.pid}-x`;
  const tools = plant({ [`${folder}/x`]: "", [`partial-${deadProcess()}-x/x`]: "", [`${alive}/x`]: "" });
  await pinnedPnpm(() => undefined, tools);
  expect(readdirSync(tools)).toEqual([alive, folder]);
});
