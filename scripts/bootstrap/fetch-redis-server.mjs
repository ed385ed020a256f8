import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTethered } from "../run/run-tethered.mjs";

const otherWays = "Install redis-server 6.2 or newer, or name one in REDIS_SERVER_BIN.";

/**
 * Starts the unpacked program with the libraries that were unpacked beside it. `exec`: signals and the
 * process id are the server's own.
 */
const starter = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
for folder in "$here"/debian/usr/lib/* "$here"/debian/lib/*; do
  [ -d "$folder" ] && LD_LIBRARY_PATH="$folder\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
done
export LD_LIBRARY_PATH
exec "$here/debian/usr/bin/redis-server" "$@"
`;

/**
 * Unpacks Debian's redis-server, with those libraries of it that the machine lacks, into `folder`.
 *
 * apt works on lists and archives of its own in that folder. So it needs no root, waits for nobody's lock,
 * leaves the machine's packages as they are, and a kill leaves nothing but the folder.
 */
export async function fetchRedisServer(folder, env) {
  if (spawnSync("apt-get", ["--version"], { env }).error)
    throw new Error(`The tests need a redis-server, and there is no apt-get to get it with. ${otherWays}`);
  const apt = ["apt-get", ...aptFolders(folder)];
  // A source of the machine that is out of reach is no reason to stop: what matters is whether the next step
  // finds the package.
  const lists = await runTethered([...apt, "update"], { cwd: folder, env });
  const download = [...apt, "install", "--yes", "--download-only", "--no-install-recommends", "redis-server"];
  const archives = await runTethered(download, { cwd: folder, env });
  const packages = readdirSync(join(folder, "apt", "archives")).filter((name) => name.endsWith(".deb"));
  if (archives.code !== 0 || packages.length === 0)
    throw new Error(
      `The tests need a redis-server, and apt-get could not download it. ${otherWays}\n${lists.output}${archives.output}`,
    );
  for (const name of packages) await unpack(join(folder, "apt", "archives", name), folder, env);
  rmSync(join(folder, "apt"), { recursive: true });
  writeFileSync(join(folder, "redis-server"), starter);
  chmodSync(join(folder, "redis-server"), 0o755);
}

function aptFolders(folder) {
  for (const path of ["apt/lists/partial", "apt/archives/partial"])
    mkdirSync(join(folder, path), { recursive: true });
  const settings = {
    "Dir::State::lists": join(folder, "apt", "lists"),
    "Dir::Cache": join(folder, "apt"),
    "Dir::Cache::archives": join(folder, "apt", "archives"),
    // apt would become a user of its own, who may not enter the checkout.
    "APT::Sandbox::User": "root",
    // The lock is that of the machine's packages, which are not touched.
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
