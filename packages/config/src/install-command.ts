import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { foldersUp } from "./folders-up.js";
import type { Project } from "./project.js";

const COMMANDS: Readonly<Record<string, string>> = {
  npm: "npm install",
  pnpm: "pnpm add",
  yarn: "yarn add",
  bun: "bun add",
};

const LOCKFILES: Readonly<Record<string, string>> = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
  "package-lock.json": "npm",
};

/** The command that installs a package with the package manager of the project. */
export function installCommand(name: string, project: Project): string {
  return `${COMMANDS[managerOf(project)] ?? "npm install"} ${name}`;
}

// Lock files come before the environment, because `npx` sets "npm" in any project.
function managerOf({ folder, env }: Project): string {
  for (const each of foldersUp(folder)) {
    const manager = declaredIn(each) ?? lockedIn(each);
    if (manager !== undefined) return manager;
  }
  return /^(\w+)\//.exec(env["npm_config_user_agent"] ?? "")?.[1] ?? "npm";
}

function declaredIn(folder: string): string | undefined {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  return /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@/.exec(readFileSync(file, "utf8"))?.[1];
}

function lockedIn(folder: string): string | undefined {
  const lockfile = Object.keys(LOCKFILES).find((name) => existsSync(join(folder, name)));
  return lockfile === undefined ? undefined : LOCKFILES[lockfile];
}
