/**
 * Packages import each other only in the direction of the architecture (layers.mjs), and so do the folders of
 * a package. There are no import cycles, neither of files nor of packages.
 *
 * Not dependency-cruiser: its releases that run on Node 20 read TypeScript through the JavaScript API of
 * TypeScript 6 or older, and without it they pass having read nothing.
 */
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import { workspacePackages } from "../workspace.mjs";
import { findCycles } from "./find-cycles.mjs";
import { wrongFolder } from "./folder-direction.mjs";
import { folderOrderOf, layerOf, mayImport, standsAlone } from "./layers.mjs";
import { moduleImports } from "./module-imports.mjs";
import { runCheck } from "./report-findings.mjs";
import { sourceFiles } from "./source-files.mjs";

const source = /\.(ts|mts|tsx|mjs|js)$/;

export function checkDirection(top) {
  const packages = workspacePackages(top).map((entry) => ({ ...entry, layer: layerOf(entry.folder) }));
  const byName = new Map(packages.map((entry) => [entry.manifest.name, entry]));
  const files = sourceFiles(top).filter((file) => source.test(file));
  const modules = packages.flatMap((owner) => readModules(top, owner, files));
  const findings = [
    ...packages.flatMap((owner) => wrongDependencies(owner, byName)),
    ...modules.flatMap((module) => wrongImports(module, byName)),
    ...findCycles(packageGraph(packages, byName)).map((cycle) => `packages in a cycle: ${cycle.join(" → ")}`),
    ...findCycles(fileGraph(modules)).map((cycle) => `files in a cycle: ${cycle.join(" → ")}`),
  ];
  const imports = modules.reduce((sum, module) => sum + module.imports.length, 0);
  return { findings, looked: `${imports} imports in ${modules.length} files of ${packages.length} packages` };
}

function readModules(top, owner, files) {
  return files
    .filter((file) => file.startsWith(`${owner.folder}/`))
    .map((file) => ({ file, owner, imports: moduleImports(file, readFileSync(join(top, file), "utf8")) }));
}

/**
 * Checks a package.json: its dependencies for users follow the rules for `src`, its devDependencies those for
 * `dev`.
 */
function wrongDependencies({ folder, layer, manifest }, byName) {
  const { dependencies, peerDependencies, optionalDependencies, devDependencies } = manifest;
  const forUsers = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  const wrong = [
    ...forUsers.filter((name) => forbids(layer, "src", name, byName)),
    ...Object.keys(devDependencies ?? {}).filter(
      (name) => byName.has(name) && forbids(layer, "dev", name, byName),
    ),
  ];
  return wrong.map((name) => `${folder}/package.json: ${layerName(layer)} must not depend on ${name}`);
}

function wrongImports({ file, owner, imports }, byName) {
  const part = file.startsWith(`${owner.folder}/src/`) ? "src" : "dev";
  return imports.flatMap(({ specifier, line }) => {
    const problem = specifier.startsWith(".")
      ? wrongPath(file, owner, part, specifier)
      : wrongPackage(owner, part, packageName(specifier), byName);
    return problem ? [`${file}:${line}: ${problem}`] : [];
  });
}

function wrongPath(file, owner, part, specifier) {
  const target = posix.join(posix.dirname(file), specifier);
  const shared = part === "dev" && /^(vitest\.shared\.mjs|scripts\/)/.test(target);
  if (!target.startsWith(`${owner.folder}/`) && !shared)
    return `${specifier} leads out of the package: import it by name`;
  if (part === "src" && !target.startsWith(`${owner.folder}/src/`))
    return `${specifier}: src/ must stand without the rest`;
  return part === "src" ? wrongDirection(file, owner, target) : undefined;
}

function wrongDirection(file, owner, target) {
  const order = folderOrderOf(owner.folder);
  const src = `${owner.folder}/src`;
  return order && wrongFolder(order, posix.relative(src, file), posix.relative(src, target));
}

function wrongPackage(owner, part, name, byName) {
  if (name === owner.manifest.name)
    return part === "src" ? "a package does not import itself by name" : undefined;
  if (part === "dev" && !byName.has(name)) return undefined;
  return forbids(owner.layer, part, name, byName)
    ? `${layerName(owner.layer)} must not import ${name}`
    : undefined;
}

function forbids(layer, part, name, byName) {
  const target = byName.get(name);
  return target === undefined ? standsAlone(layer) : !mayImport(layer, part, target.layer);
}

const layerName = (layer) => `the ${layer} layer`;

function packageName(specifier) {
  if (isBuiltin(specifier)) return specifier;
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function packageGraph(packages, byName) {
  const named = ({ manifest }) =>
    Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.devDependencies });
  return new Map(
    packages.map((entry) => [entry.manifest.name, named(entry).filter((name) => byName.has(name))]),
  );
}

/** Only imports within packages. Imports between packages are checked by the graph of packages. */
function fileGraph(modules) {
  const known = new Set(modules.map(({ file }) => file));
  return new Map(
    modules.map(({ file, imports }) => [
      file,
      imports
        .filter(({ specifier }) => specifier.startsWith("."))
        .map(({ specifier }) => resolve(file, specifier, known))
        .filter(Boolean),
    ]),
  );
}

/** "./a.js" names a.ts in TypeScript sources. */
function resolve(from, specifier, known) {
  const path = posix.join(posix.dirname(from), specifier);
  return [path, path.replace(/\.(m?)js$/, ".$1ts"), `${path}.ts`, `${path}/index.ts`].find((candidate) =>
    known.has(candidate),
  );
}

runCheck(import.meta, checkDirection);
