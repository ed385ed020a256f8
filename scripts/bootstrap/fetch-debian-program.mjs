import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTethered } from "../run/run-tethered.mjs";

/**
 * Unpacks a program of Debian's, with those libraries of it that the machine lacks, into `folder`. `wanted` is
 * the `name` under which it can be started there, its `package`, the `path` of the program in it, and the
 * `otherWays` to get one.
 *
 * apt works on separate lists and archives in that folder. So it needs no root and no lock of the machine, does not change
 * installed packages, and leaves only the folder if it is killed.
 */
export async function fetchDebianProgram(folder, env, wanted) {
  const { name, otherWays } = wanted;
  if (spawnSync("apt-get", ["--version"], { env }).error)
    throw new Error(`The tests need a ${name}, and there is no apt-get to get it with. ${otherWays}`);
  const apt = ["apt-get", ...aptFolders(folder)];
  // A package source that cannot be reached is no reason to stop: what matters is whether the next step
  // finds the package.
  const lists = await runTethered([...apt, "update"], { cwd: folder, env });
  const download = [...apt, "install", "--yes", "--download-only", "--no-install-recommends", wanted.package];
  const archives = await runTethered(download, { cwd: folder, env });
  const packages = readdirSync(join(folder, "apt", "archives")).filter((file) => file.endsWith(".deb"));
  if (archives.code !== 0 || packages.length === 0)
    throw new Error(
      `The tests need a ${name}, and apt-get could not download it. ${otherWays}\n${lists.output}${archives.output}`,
    );
  for (const file of packages) await unpack(join(folder, "apt", "archives", file), folder, env);
  rmSync(join(folder, "apt"), { recursive: true });
  writeFileSync(join(folder, name), starter(wanted.path));
  chmodSync(join(folder, name), 0o755);
}

/**
 * A script that starts the unpacked program with its unpacked libraries and fonts. With `exec`, so that the program gets the
 * signals and has the process id.
 */
function starter(path) {
  return `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
for folder in "$here"/debian/usr/lib/* "$here"/debian/usr/lib/*/* "$here"/debian/lib/*; do
  [ -d "$folder" ] && LD_LIBRARY_PATH="$folder\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
done
export LD_LIBRARY_PATH
[ -d /etc/fonts ] || [ ! -d "$here/debian/etc/fonts" ] || export FONTCONFIG_PATH="$here/debian/etc/fonts"
exec "$here/debian/${path}" "$@"
`;
}

function aptFolders(folder) {
  for (const path of ["apt/lists/partial", "apt/archives/partial"])
    mkdirSync(join(folder, path), { recursive: true });
  const settings = {
    "Dir::State::lists": join(folder, "apt", "lists"),
    "Dir::Cache": join(folder, "apt"),
    "Dir::Cache::archives": join(folder, "apt", "archives"),
    // apt would switch to another user, which may not read the checkout.
    "APT::Sandbox::User": "root",
    // The lock protects the packages of the machine, which are not changed.
    "Debug::NoLocking": "true",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}

async function unpack(archive, folder, env) {
  const { code, output } = await runTethered(["dpkg-deb", "--extract", archive, join(folder, "debian")], {
    cwd: folder,
    env,
  });
  if (code !== 0) throw new Error(`dpkg-deb could not unpack ${archive}.\n${output}`);
}
