import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { root } from "../root.mjs";

const compiler = join(root, "node_modules/typescript/bin/tsc");
const strict = [
  "--noEmit",
  "--strict",
  "--skipLibCheck",
  "false",
  "--module",
  "NodeNext",
  "--target",
  "ES2022",
];

/** The environments of a package, with the globals that the compilers of its users know there. */
const places = {
  node: ["--lib", "ES2022", "--types", "node"],
  browser: ["--lib", "ES2022,DOM,DOM.AsyncIterable"],
};

/**
 * Compiles a user's file that imports every entry point of the built package. Our own compiler settings know more than most
 * users' do, so that a declaration can lean on a global that they lack, or on types that only we install. Answers the errors in
 * the package's own declarations.
 */
export function usersCompilers(folder, name, inPlaces) {
  const user = realpathSync(mkdtempSync(join(tmpdir(), "user-")));
  try {
    writeFileSync(join(user, "package.json"), '{ "type": "module" }');
    const installed = join(user, "node_modules", name);
    install(folder, installed);
    const entries = entriesOf(folder).map((entry) => name + entry.slice(1));
    const imports = entries.map((entry, index) => `import * as entry${index} from "${entry}";\n`);
    const names = entries.map((_, index) => `entry${index}`);
    writeFileSync(join(user, "user.ts"), `${imports.join("")}export default [${names.join()}];\n`);
    link(join(root, "node_modules/@types/node"), join(user, "node_modules/@types/node"));
    return inPlaces.flatMap((place) => compile(user, installed, place));
  } finally {
    rmSync(user, { recursive: true, force: true });
  }
}

/** The names under which a package can be imported: "." and others. */
function entriesOf(folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return Object.keys(exports).filter((entry) => !entry.endsWith(".json"));
}

/** A copy with what it depends on, and without what is installed for its development. */
function install(folder, target) {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  cpSync(join(folder, "dist"), join(target, "dist"), { recursive: true });
  cpSync(join(folder, "package.json"), join(target, "package.json"));
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    const dependency = join(folder, "node_modules", name);
    if (existsSync(dependency)) link(realpathSync(dependency), join(target, "node_modules", name));
  }
}

function compile(user, folder, place) {
  const { stdout } = spawnSync(
    process.execPath,
    [compiler, ...strict, ...places[place], "--pretty", "false", "user.ts"],
    {
      cwd: user,
      encoding: "utf8",
    },
  );
  // Without errors in the declarations of dependencies, which are not ours.
  const own = stdout.split("\n").filter((line) => line.startsWith("user.ts") || isIn(folder, line, user));
  return own.map((line) => `a user's compiler (${place}): ${line.replace(/^[^(]*?dist\//, "dist/")}`);
}

/** tsc names files relative to where it runs: "../../packages/protocol/dist/index.d.ts(1,2): error …". */
function isIn(folder, line, user) {
  const path = /^([^\s(][^(]*)\(\d+,\d+\): error /.exec(line)?.[1];
  return path !== undefined && resolve(user, path).startsWith(join(realpathSync(folder), "dist"));
}

function link(target, path) {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, "junction");
}
