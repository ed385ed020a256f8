import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.mjs";
import { runTethered } from "../run/run-tethered.mjs";
import { childEnvironment } from "./child-environment.mjs";
import { fillOnce } from "./fill-once.mjs";

/** The pnpm that package.json names under "packageManager", fetched once into `.tools/pnpm-<version>`. */
export async function pinnedPnpm(say, tools = join(root, ".tools")) {
  const version = pinnedVersion();
  const folder = join(tools, `pnpm-${version}`);
  await fillOnce(tools, folder, async (partial) => {
    say(`getting pnpm ${version}`);
    // With a package.json, because npm would otherwise take the repository above for the project to install
    // into.
    writeFileSync(join(partial, "package.json"), '{ "private": true }\n');
    await npmInstall(partial, `pnpm@${version}`);
  });
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
