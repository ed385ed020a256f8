import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Ended } from "./run-sessions.js";

/** What a package's folder holds that an install does not bring, or only with its scripts: `build` is what they compile. */
const NOT_INSTALLED: ReadonlySet<string> = new Set([
  "node_modules",
  "build",
  "deps",
  "src",
  "test",
  "reports",
]);

/** Runs in an install script only. */
const INSTALLER = "prebuild-install";

/**
 * A project outside this repository, into which packages are copied with all that they depend on: what an install makes whose
 * scripts may not run. Leaves out `without`.
 */
export class Installation {
  readonly folder: string;
  readonly #without: ReadonlySet<string>;

  private constructor(folder: string, without: readonly string[]) {
    this.folder = folder;
    this.#without = new Set([INSTALLER, ...without]);
  }

  static async of(packages: readonly string[], without: readonly string[] = []): Promise<Installation> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "sessions-installation-")));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const installation = new Installation(folder, without);
    for (const name of packages) await installation.#install(name, fileURLToPath(import.meta.url));
    return installation;
  }

  /** The folder of a package in it. */
  packageFolder(name: string): string {
    return join(this.folder, "node_modules", name);
  }

  /** Runs `sessions` in it. */
  sessions(...args: readonly string[]): Promise<Ended> {
    return this.node(join(this.packageFolder("@sessions/cli"), "dist/main.js"), ...args);
  }

  /** Runs Node in it. It finds no packages but those that are installed: NODE_PATH, which pnpm sets, would add this repository's. */
  async node(...args: readonly string[]): Promise<Ended> {
    const { NODE_PATH: _, ...env } = process.env;
    const child = spawn(process.execPath, [...args], { cwd: this.folder, env, stdio: "pipe" });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    return { code, stdout, stderr };
  }

  async #install(name: string, dependent: string): Promise<void> {
    if (this.#without.has(name) || existsSync(this.packageFolder(name))) return;
    const source = await sourceOf(name, dependent);
    const target = this.packageFolder(name);
    await mkdir(dirname(target), { recursive: true });
    await cp(source, target, {
      recursive: true,
      filter: (path) => dirname(path) !== source || !NOT_INSTALLED.has(basename(path)),
    });
    const manifest = join(source, "package.json");
    const { dependencies = {} } = JSON.parse(await readFile(manifest, "utf8"));
    for (const dependency of Object.keys(dependencies)) await this.#install(dependency, manifest);
  }
}

/** The folder in which a file finds a package. */
async function sourceOf(name: string, dependent: string): Promise<string> {
  const folders = createRequire(dependent).resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name)).find((folder) => existsSync(folder));
  if (found === undefined) throw new Error(`${dependent} finds no package ${name}`);
  return realpath(found);
}
