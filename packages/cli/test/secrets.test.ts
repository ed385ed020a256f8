import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openStore } from "@sessions/config";
import { expect, test } from "vitest";
import { sessions, sessionsHere, temporaryFolder } from "./run-sessions.js";

const SECRET = "hunter2-s3cr3t";

const urls: readonly string[] = [
  `redis://user:${SECRET}@127.0.0.1:1?deadlineMs=300`,
  `redis://:${SECRET}@127.0.0.1:1/0?prefix=a&deadlineMs=300`,
  `redis://user:${SECRET}@127.0.0.1:1?perfix=a`,
  `redis://user:${SECRET}@127.0.0.1:1?password=${SECRET}`,
  `redis+cluster://user:${SECRET}@127.0.0.1:1,127.0.0.1:2?deadlineMs=300`,
  `redis+sentinel://user:${SECRET}@127.0.0.1:1/name?deadlineMs=300`,
  `redis+sentinel://user:${SECRET}@127.0.0.1:1`,
  `rediss://user:${SECRET}%zz@127.0.0.1:1`,
  `redis://user:${SECRET}?@127.0.0.1:1`,
  `postgres://user:${SECRET}@127.0.0.1/db`,
  `user:${SECRET}@127.0.0.1`,
];

test.each(urls)(
  "no secret is shown, however a command is given it: %s",
  { timeout: 120_000 },
  async (url) => {
    const cwd = await temporaryFolder();
    await (await openStore(`file:${cwd}/store`)).close();
    const runs = [
      { args: ["ls", "--store", url] },
      { args: ["stats", "--json"], env: { SESSIONS_STORE: url } },
      { args: ["doctor", "--fix", "--yes", "--store", url] },
      { args: ["migrate", url, "file:./store"] },
      { args: ["migrate", "file:./store", url, "--json"] },
    ];
    const ended = await Promise.all(runs.map(({ args, env = {} }) => sessionsHere(args, { cwd, env })));
    ended.push(
      await sessions(["ls"], { cwd, env: { SESSIONS_STORE: url, NODE_OPTIONS: "--trace-uncaught" } }),
    );
    for (const { code, stdout, stderr } of ended) {
      expect(code, stderr).not.toBe(0);
      expect(stderr).not.toBe("");
      expect(stdout + stderr).not.toContain(SECRET);
    }
  },
);

test("a secret in a config file is not shown", async () => {
  const cwd = await temporaryFolder();
  const config = { store: { store: "redis", host: "127.0.0.1", port: 1, password: SECRET, prefx: "a" } };
  await writeFile(join(cwd, "sessions.config.json"), JSON.stringify(config));
  const { code, stdout, stderr } = await sessions(["ls"], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain('Did you mean "prefix"?');
  expect(stdout + stderr).not.toContain(SECRET);
});

test.each(urls.filter((url) => url.includes("://")))(
  "nor is one in an argument that is in the wrong place: %s",
  async (url) => {
    const cwd = await temporaryFolder();
    for (const args of [
      [url],
      ["ls", url],
      ["lss", url],
      ["migrate", url],
      ["ls", "--stor", url],
      [`--store${url}`],
      ["show", url, url],
      ["import", "--from", url, "x"],
    ]) {
      const { code, stdout, stderr } = await sessionsHere(args, { cwd });
      expect(code).toBe(2);
      expect(stdout + stderr).not.toContain(SECRET);
    }
  },
);
