import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { SessionError } from "@sessions/protocol";
import { installCommand } from "./install-command.js";
import type { Project } from "./project.js";

/**
 * Loads a module of a package: the version of the user's project, else that of this package or of the bundle. A command that `npx`
 * runs is not in the project, but the project's version is the one that has written the data.
 */
export async function loadPackage<Module>(
  specifier: string,
  literal: () => Promise<Module>,
  project: Project,
): Promise<Module> {
  const name = specifier.split("/").slice(0, 2).join("/");
  try {
    const file = foundIn(project.folder, specifier);
    return file === undefined
      ? await literal()
      : await import(/* webpackIgnore: true */ /* @vite-ignore */ file);
  } catch (error) {
    throw isMissing(error, name) ? missing(name, project, error) : unusable(name, error);
  }
}

function foundIn(folder: string, specifier: string): string | undefined {
  try {
    return pathToFileURL(createRequire(join(folder, "package.json")).resolve(specifier)).href;
  } catch (error) {
    if (codeOf(error) === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/** Whether the package itself is missing, and not a package that it imports. */
function isMissing(error: unknown, name: string): boolean {
  return (
    codeOf(error) === "ERR_MODULE_NOT_FOUND" &&
    error instanceof Error &&
    error.message.startsWith(`Cannot find package '${name}'`)
  );
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function missing(name: string, project: Project, cause: unknown): Error {
  const command = installCommand(name, project);
  return SessionError.of("STORE_UNAVAILABLE", `This store needs the package ${name}. Run: ${command}`, {
    cause,
    retryable: false,
  });
}

function unusable(name: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return SessionError.of(
    "STORE_UNAVAILABLE",
    `The package ${name} is installed but cannot be loaded: ${reason}\nInstall it again, for this version of Node.`,
    { cause, retryable: false },
  );
}
