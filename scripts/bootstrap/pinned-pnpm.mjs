import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { root } from "../root.mjs";
import { runTethered } from "../run/run-tethered.mjs";
import { childEnvironment } from "./child-environment.mjs";

/**
 * The pnpm that package.json names under "packageManager", fetched once into `.tools/pnpm-<version>`. It is
 * installed beside that folder and moved there in one rename: the folder is whole or absent, whatever is
 * killed when.
 */
export async function pinnedPnpm(say, tools = join(root, ".tools")) {
  const version = pinnedVersion();
  const folder = join(tools, `pnpm-${version}`);
  mkdirSync(tools, { recursive: true });
  removeLeftovers(tools);
  if (!existsSync(folder)) {
    say(`getting pnpm ${version}`);
    await fetchPnpm(version, tools, folder);
  }
  return {
    version,
    script: join(folder, "node_modules", "pnpm", "bin", "pnpm.cjs"),
    binFolder: join(folder, "node_modules", ".bin"),
  };
}

function pinnedVersion() {
  const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const version = /^pnpm@(\d+\.\d+\.\d+)/.exec(packageManager)?.[1];
  if (!version)
    throw new Error(`package.json: "packageManager" must name an exact pnpm, not ${packageManager}`);
  return version;
}

async function fetchPnpm(version, tools, folder) {
  const partial = mkdtempSync(join(tools, `partial-${process.pid}-`));
  try {
    // A package.json of its own: npm would otherwise take the repository above for the project to install
    // into.
    writeFileSync(join(partial, "package.json"), '{ "private": true }\n');
    await npmInstall(partial, `pnpm@${version}`);
    moveIntoPlace(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** What killed runs left: the folders named after processes that are no more. */
function removeLeftovers(tools) {
  for (const name of readdirSync(tools)) {
    const owner = /^partial-(\d+)-/.exec(name)?.[1];
    if (owner && !isAlive(Number(owner))) rmSync(join(tools, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

async function npmInstall(folder, spec) {
  const npm = process.env.npm_execpath?.endsWith("npm-cli.js")
    ? [process.execPath, process.env.npm_execpath]
    : ["npm"];
  const options = ["--prefix", folder, "--global=false", "--dry-run=false", "--ignore-scripts"];
  const quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--no-update-notifier", "--loglevel=error"];
  const { code, output } = await runTethered([...npm, "install", ...options, ...quiet, spec], {
    cwd: folder,
    env: childEnvironment(process.env),
  });
  if (code !== 0)
    throw new Error(`npm could not install ${spec}. The first run needs a registry in reach.\n${output}`);
}

function moveIntoPlace(partial, folder) {
  try {
    renameSync(partial, folder);
  } catch (error) {
    // Another run was faster; its folder is as good as ours.
    if (!existsSync(folder)) throw error;
  }
}
