import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../root.mjs";

const folder = "docs/.snippets";
const compiler = join(root, "node_modules/typescript/bin/tsc");

/** Below docs/, so that a snippet imports what docs/package.json lists. */
const configuration = {
  extends: "../../tsconfig.base.json",
  compilerOptions: {
    rootDir: "src",
    outDir: "out",
    types: ["node"],
    // Snippets are no complete files, so unused names are allowed.
    noUnusedLocals: false,
    noUnusedParameters: false,
    isolatedDeclarations: false,
    declaration: false,
    declarationMap: false,
    // The declarations that users get are read here with every check on.
    skipLibCheck: false,
  },
  include: ["src"],
};

/** The path at which a snippet runs: beside the compiled JavaScript of its page, which it may import. */
export const runFile = (top, module) =>
  join(top, folder, "out", module.file, module.name.replace(/\.ts$/, ".mjs"));

/**
 * Writes each module to a file and compiles them all at once. Returns the errors with their lines in the documents.
 */
export function compileSnippets(top, modules) {
  rmSync(join(top, folder), { recursive: true, force: true });
  for (const module of modules)
    write(join(top, folder, "src", module.file, module.name), module.lines.join("\n"));
  write(join(top, folder, "tsconfig.json"), JSON.stringify(configuration, null, 2));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [compiler, "-p", "tsconfig.json", "--pretty", "false"],
    {
      cwd: join(top, folder),
      encoding: "utf8",
    },
  );
  return status === 0 ? [] : errorsIn(stdout + stderr, modules);
}

/** tsc says "src/README.md/line-9.ts(12,5): error …", with more lines indented below. */
function errorsIn(output, modules) {
  const errors = output.trim().split(/\n(?!\s)/);
  // Without errors in the declarations of other packages, which are not ours.
  const own = errors.filter((error) => !/^[^(]*\bnode_modules\/\.pnpm\//.test(error));
  return own.map((error) => {
    const [, path, line, column, message] = /^src\/(.*?)\((\d+),(\d+)\): (.*)$/s.exec(error) ?? [];
    const module = modules.find(({ file, name }) => `${file}/${name}` === path);
    return module ? `${module.file}:${line}:${column}: ${message}` : error;
  });
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
}
