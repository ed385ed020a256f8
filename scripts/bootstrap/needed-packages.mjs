import { workspacePackages } from "../workspace.mjs";

/**
 * The workspace packages that one needs to be built and run: itself, its "dependencies", and theirs. "devDependencies" are for
 * tests, and may take minutes to compile.
 */
export function neededPackages(name, top) {
  const byName = new Map(workspacePackages(top).map(({ manifest }) => [manifest.name, manifest]));
  const needed = new Set([name]);
  for (const each of needed)
    for (const dependency of Object.keys(byName.get(each).dependencies ?? {}))
      if (byName.has(dependency)) needed.add(dependency);
  return [...needed];
}
