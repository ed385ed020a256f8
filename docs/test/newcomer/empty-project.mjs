import { execFile } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../../scripts/root.mjs";
import { workspacePackages } from "../../../scripts/workspace.mjs";

const run = promisify(execFile);

/**
 * A project outside the repository with packed `@sessions/*` packages in it, and nothing else of ours. What they and the examples need from
 * a registry is linked to where the repository has it, so that no test waits for a network.
 */
export async function emptyProject(names, others) {
  const folder = await mkdtemp(join(tmpdir(), "newcomer-"));
  const packages = names.map(packageNamed);
  const tarballs = join(folder, "tarballs");
  await mkdir(tarballs);
  await Promise.all(packages.map((each) => pnpm(each.folder, "pack", "--pack-destination", tarballs)));
  const files = readdirSync(tarballs);
  const ours = packages.map(({ name }) => [name, `file:${join(tarballs, files.find(isTarballOf(name)))}`]);
  const theirs = [...new Set([...packages.flatMap(({ dependencies }) => dependencies), ...others])];
  const linked = theirs.map((name) => [name, `link:${linkTarget(name, packages)}`]);
  const wanted = [...ours, ...linked.filter(([name]) => others.includes(name))];
  const manifest = {
    name: "newcomer",
    private: true,
    type: "module",
    dependencies: Object.fromEntries(wanted),
    pnpm: { overrides: Object.fromEntries([...ours, ...linked]) },
  };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  await pnpm(folder, "install", "--offline", "--ignore-workspace");
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

function packageNamed(name) {
  const found = workspacePackages().find(({ manifest }) => manifest.name === name);
  if (found === undefined) throw new Error(`no package of this repository is called ${name}`);
  const dependencies = Object.keys(found.manifest.dependencies ?? {});
  return {
    name,
    folder: join(root, found.folder),
    dependencies: dependencies.filter((each) => !each.startsWith("@sessions/")),
  };
}

function isTarballOf(name) {
  return (file) => file.replace(/-\d.*$/, "") === name.replace("@", "").replace("/", "-");
}

/** `ai` and the like are installed beside a package that is made for them. */
function linkTarget(name, packages) {
  for (const { folder } of packages) {
    const path = join(folder, "node_modules", name);
    if (existsSync(path)) return realpathSync(path);
  }
  throw new Error(`no package has ${name} installed`);
}

async function pnpm(cwd, ...args) {
  try {
    await run("pnpm", args, { cwd });
  } catch (error) {
    throw new Error(`pnpm ${args.join(" ")} failed in ${cwd}\n${error.stdout}${error.stderr}`);
  }
}
