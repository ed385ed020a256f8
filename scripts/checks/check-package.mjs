/**
 * The package in the present folder, as it would be published: packed by pnpm, then read by publint (is it
 * a sound package?), by are-the-types-wrong (does every module system find its types?) and by compilers set
 * up like users'.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPackageFromTarballData, checkPackage as resolveTypes } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { reportFindings } from "./report-findings.mjs";
import { usersCompilers } from "./users-compilers.mjs";

/** The packages are ESM only: CommonJS may not find types there, and bundlers and `import` must. */
const outsideEsm = new Set(["node10", "node16-cjs"]);

export async function checkPackage(folder) {
  const { name, dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  // What needs nothing runs anywhere; the others may need Node.
  const places = dependencies || peerDependencies ? ["node"] : ["node", "browser"];
  const tarball = pack(folder);
  const findings = [
    ...(await lint(tarball)),
    ...(await types(tarball)),
    ...usersCompilers(folder, name, places),
  ];
  return { findings, looked: `the packed package (${tarball.length} bytes)` };
}

function pack(folder) {
  const destination = mkdtempSync(join(tmpdir(), "pack-"));
  try {
    const { status, stdout, stderr } = spawnSync("pnpm", ["pack", "--pack-destination", destination], {
      cwd: folder,
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    if (status !== 0) throw new Error(`pnpm pack failed in ${folder}\n${stdout}${stderr}`);
    return readFileSync(join(destination, readdirSync(destination)[0]));
  } finally {
    rmSync(destination, { recursive: true, force: true });
  }
}

async function lint(tarball) {
  const { messages, pkg } = await publint({ pack: { tarball: bytesOf(tarball) }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false })}`);
}

async function types(tarball) {
  const analysis = await resolveTypes(createPackageFromTarballData(new Uint8Array(tarball)));
  if (!analysis.types) return ["are-the-types-wrong: the package has no types"];
  const problems = analysis.problems.filter(
    ({ resolutionKind, resolutionOption }) => !outsideEsm.has(resolutionKind ?? resolutionOption),
  );
  return problems.map(({ trace, ...problem }) => `are-the-types-wrong: ${JSON.stringify(problem)}`);
}

const bytesOf = (buffer) => buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.length);

if (process.argv[1] === import.meta.filename) reportFindings(await checkPackage(process.cwd()));
