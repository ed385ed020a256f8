/**
 * Every TypeScript snippet in the documentation and in the sources' TSDoc compiles against the built
 * packages. The text of those marked `run` is also run by Node, as plain JavaScript. snippet-info.mjs says how a fence is marked. What was extracted
 * stays in docs/.snippets to look at.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { workspacePackages } from "../workspace.mjs";
import { compileSnippets } from "./compile-snippets.mjs";
import { exportedNames } from "./exported-names.mjs";
import { runCheck } from "./report-findings.mjs";
import { runSnippet } from "./run-snippet.mjs";
import { snippetModules } from "./snippet-modules.mjs";
import { sourceFiles } from "./source-files.mjs";
import { tsdocModules } from "./tsdoc-modules.mjs";

/** Written by changesets, or for them: no documentation. */
const notes = /(?:^|\/)(?:CHANGELOG\.md|\.changeset\/)/;

export function checkSnippets(top) {
  const pages = [...documents(top), ...sources(top)];
  const mistakes = pages.flatMap(({ file, findings }) =>
    findings.map(({ line, problem }) => `${file}:${line}: ${problem}`),
  );
  const modules = pages.flatMap(({ file, modules }) => modules.map((module) => ({ ...module, file })));
  const errors = modules.length > 0 ? compileSnippets(top, modules) : [];
  const toRun = modules.filter((module) => module.run);
  const failures = errors.length === 0 ? toRun.flatMap((module) => runSnippet(top, module)) : [];
  const looked = `${modules.length} snippets (${toRun.length} run) in ${pages.length} documents and sources`;
  return { findings: [...mistakes, ...errors, ...failures], looked };
}

function documents(top) {
  return sourceFiles(top)
    .filter((file) => file.endsWith(".md") && !notes.test(file))
    .map((file) => ({ file, ...snippetModules(readFileSync(join(top, file), "utf8")) }));
}

function sources(top) {
  const files = sourceFiles(top);
  return workspacePackages(top)
    .filter(({ folder, manifest }) => !manifest.private && existsSync(join(top, folder, "src/index.ts")))
    .flatMap(({ folder, manifest }) => {
      const index = join(top, folder, "src/index.ts");
      const exported = exportedNames(index, readFileSync(index, "utf8"));
      return files
        .filter((file) => file.startsWith(`${folder}/src/`) && file.endsWith(".ts"))
        .map((file) => ({
          file,
          ...tsdocModules(readFileSync(join(top, file), "utf8"), manifest.name, exported),
        }));
    });
}

runCheck(import.meta, checkSnippets);
