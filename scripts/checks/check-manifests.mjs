/**
 * Every workspace package has the scripts of its kind, because turbo silently skips a package without "check:package" or
 * "test". And the manifests of all published packages have the same form.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { workspacePackages } from "../workspace.mjs";
import { runCheck } from "./report-findings.mjs";

/** The required scripts, by the kind of package. docs/ has no code. */
const scripts = {
  published: ["build", "check:types", "check:package", "test"],
  internal: ["build", "check:types"],
  docs: ["check:snippets"],
};

const alike = {
  license: "MIT",
  type: "module",
  sideEffects: false,
  files: ["dist", "src"],
  engines: { node: ">=20.19" },
  publishConfig: { access: "public" },
};

export function checkManifests(top) {
  const packages = workspacePackages(top);
  const findings = packages.flatMap(({ folder, manifest }) =>
    [...problemsOf(folder, manifest), ...idleTests(top, folder, manifest)].map(
      (problem) => `${folder}/package.json: ${problem}`,
    ),
  );
  return { findings, looked: `${packages.length} packages` };
}

function problemsOf(folder, manifest) {
  if (folder === "docs") return missingScripts(manifest, scripts.docs);
  if (manifest.private) return missingScripts(manifest, scripts.internal);
  return [...missingScripts(manifest, scripts.published), ...unlike(manifest), ...exportsProblems(manifest)];
}

/** An internal package needs no tests. If it has some, they must be run. */
function idleTests(top, folder, manifest) {
  if (!manifest.private || !existsSync(join(top, folder, "test"))) return [];
  return missingScripts(manifest, ["test"]);
}

function missingScripts(manifest, names) {
  return names.filter((name) => !manifest.scripts?.[name]).map((name) => `has no "${name}" script`);
}

function unlike(manifest) {
  const fields = Object.keys(alike).filter((field) => !isDeepStrictEqual(manifest[field], alike[field]));
  const named = manifest.name?.startsWith("@sessions/") ? [] : ["its name must begin with @sessions/"];
  return [...fields.map((field) => `"${field}" must be ${JSON.stringify(alike[field])}`), ...named];
}

/** `types` first: conditions are tried in order, and `default` matches everything. JSON is data: it has neither. */
function exportsProblems({ exports }) {
  const entries = Object.entries(exports ?? {}).filter(([path]) => !path.endsWith(".json"));
  const wrong = entries.filter(([, target]) => Object.keys(target).join() !== "types,default");
  return [
    ...(exports?.["."] ? [] : ['"exports" has no "."']),
    ...(exports?.["./package.json"] ? [] : ['"exports" has no "./package.json"']),
    ...wrong.map(([path]) => `"exports" of "${path}" must be { "types", "default" } in this order`),
  ];
}

runCheck(import.meta, checkManifests);
