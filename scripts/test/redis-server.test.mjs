import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { redisServer } from "../bootstrap/redis-server.mjs";
import { plant } from "./plant.mjs";

const says = (version) => `#!/bin/sh\necho "Redis server v=${version} sha=0"\n`;

/** A folder with a program that claims to be a server of this version. */
function plantProgram(name, version) {
  const folder = plant({ [name]: says(version) });
  chmodSync(join(folder, name), 0o755);
  return folder;
}

/** What the machine has, but for any server. */
function pathWithoutServers() {
  const folder = plant({});
  for (const name of [
    "sh",
    "apt-get",
    "apt-config",
    "dpkg",
    "dpkg-deb",
    "tar",
    "dirname",
    "readlink",
    "gpgv",
  ]) {
    const { stdout } = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
    if (stdout)
      writeFileSync(join(folder, name), `#!/bin/sh\nPATH=${process.env.PATH} exec ${stdout.trim()} "$@"\n`, {
        mode: 0o755,
      });
  }
  return folder;
}

/** A repository that has one package, and the setting that lets apt see nothing else: for real apt, without a network. */
function plantRepository(version) {
  const top = plant({
    "package/DEBIAN/control": `Package: redis-server\nVersion: ${version}\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\nDescription: a stand-in\n`,
    "package/usr/bin/redis-server": says(version),
    status: "",
  });
  chmodSync(join(top, "package/usr/bin/redis-server"), 0o755);
  chmodSync(join(top, "package/DEBIAN"), 0o755);
  mkdirSync(join(top, "repository"));
  const archive = join(top, "repository", "redis-server.deb");
  execFileSync("dpkg-deb", ["--build", join(top, "package"), archive], { stdio: "ignore" });
  const bytes = readFileSync(archive);
  const entry = [
    readFileSync(join(top, "package/DEBIAN/control"), "utf8").trimEnd(),
    "Filename: ./redis-server.deb",
    `Size: ${bytes.length}`,
    `SHA256: ${createHash("sha256").update(bytes).digest("hex")}`,
  ];
  writeFileSync(join(top, "repository", "Packages"), `${entry.join("\n")}\n`);
  writeFileSync(join(top, "sources.list"), `deb [trusted=yes] copy:${top}/repository ./\n`);
  writeFileSync(
    join(top, "apt.conf"),
    `Dir::Etc::sourcelist "${top}/sources.list";\nDir::Etc::sourceparts "-";\nDir::State::status "${top}/status";\n`,
  );
  return {
    ...process.env,
    PATH: pathWithoutServers(),
    REDIS_SERVER_BIN: "",
    APT_CONFIG: join(top, "apt.conf"),
  };
}

describe("the redis-server for the tests is", () => {
  test("the one that REDIS_SERVER_BIN names, before one on the PATH", async () => {
    const named = join(plantProgram("mine", "7.4.0"), "mine");
    const env = { REDIS_SERVER_BIN: named, PATH: plantProgram("redis-server", "7.0.15") };
    expect(await redisServer(() => undefined, env, plant({}))).toBe(named);
  });

  test("one on the PATH, also Valkey's; one that is too old is passed over", async () => {
    const [old, valkey] = [plantProgram("redis-server", "5.0.3"), plantProgram("valkey-server", "8.1.0")];
    const found = await redisServer(() => undefined, { PATH: `${old}:${valkey}` }, plant({}));
    expect(found).toBe(join(valkey, "valkey-server"));
  });

  test("never another than the one that was named", async () => {
    const env = { REDIS_SERVER_BIN: "/nowhere/redis-server", PATH: plantProgram("redis-server", "7.0.15") };
    await expect(redisServer(() => undefined, env, plant({}))).rejects.toThrow(
      "/nowhere/redis-server cannot be used for the tests",
    );
  });

  test("otherwise Debian's, unpacked into .tools once, with what it takes to start it", async () => {
    const env = plantRepository("7.0.15");
    const tools = plant({});
    const said = [];
    const path = await redisServer((step) => said.push(step), env, tools);
    expect(path).toBe(join(tools, "redis", "redis-server"));
    expect(execFileSync(path, ["--version"], { encoding: "utf8" })).toContain("v=7.0.15");
    expect(await redisServer((step) => said.push(step), env, tools)).toBe(path);
    expect(said).toEqual(["getting redis-server"]);
    expect(readdirSync(tools)).toEqual(["redis"]);
  });

  test("not half there: what cannot be used is not kept", async () => {
    const tools = plant({});
    const fetching = redisServer(() => undefined, plantRepository("5.0.3"), tools);
    await expect(fetching).rejects.toThrow("it is version 5.0, and 6.2 is the oldest");
    expect(readdirSync(tools)).toEqual([]);
  });

  test("a clear sentence where there is none and none can be had", async () => {
    const fetching = redisServer(() => undefined, { PATH: plant({}) }, plant({}));
    await expect(fetching).rejects.toThrow(
      "The tests need a redis-server, and there is no apt-get to get it with. Install redis-server 6.2 or newer, or name one in REDIS_SERVER_BIN.",
    );
  });
});
