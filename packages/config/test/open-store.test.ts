import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openMemoryStore } from "@sessions/memory";
import { expect, test } from "vitest";
import { openStore, resolveStore, type StoreTarget, storeKind, text } from "../src/index.js";
import { temporaryFolder } from "./temporary-folder.js";

const env = {};

async function opened(target: StoreTarget | undefined, cwd: string, given = env) {
  const store = await openStore(target, { cwd, env: given });
  try {
    await store.addMessage("s", { role: "user", content: "hello" });
    const { store: kind, location } = await store.describe();
    return { kind, location };
  } finally {
    await store.close();
  }
}

test.each<[StoreTarget, string, string]>([
  ["file:./data", "json-file", "data"],
  ["file:data", "json-file", "data"],
  ["file:./my%20data?durability=relaxed&fileMode=0640", "json-file", "my data"],
  [{ store: "file", root: "data" }, "json-file", "data"],
  [{ url: "file:data", lockDeadlineMs: 500 }, "json-file", "data"],
  ["sqlite:./sessions.db", "sqlite", "sessions.db"],
  ["sqlite:sessions.db?search=true&deadlineMs=500", "sqlite", "sessions.db"],
  [{ store: "sqlite", path: "sessions.db", search: true }, "sqlite", "sessions.db"],
])("%j is opened", async (target, kind, place) => {
  const cwd = await temporaryFolder();
  expect(await opened(target, cwd)).toEqual({ kind, location: join(cwd, place) });
});

test("absolute paths are not changed, with slashes after the scheme or without", async () => {
  const cwd = await temporaryFolder();
  const elsewhere = await temporaryFolder();
  expect(await opened(`file://${elsewhere}/a`, cwd)).toMatchObject({ location: join(elsewhere, "a") });
  expect(await opened(`sqlite:${elsewhere}/b.db`, cwd)).toMatchObject({ location: join(elsewhere, "b.db") });
});

test("each memory: opens a new store", async () => {
  expect(await opened("memory:", await temporaryFolder())).toMatchObject({ kind: "memory" });
});

test("SESSIONS_STORE is used without a target, and an empty value counts as not set", async () => {
  const cwd = await temporaryFolder({ "sessions.config.json": '{ "store": "file:./configured" }' });
  expect(await opened(undefined, cwd, { SESSIONS_STORE: "sqlite:./v.db" })).toMatchObject({ kind: "sqlite" });
  expect(await opened(undefined, cwd, { SESSIONS_STORE: "" })).toMatchObject({
    location: join(cwd, "configured"),
  });
});

test.each([
  ["sessions.config.json", '{ "store": { "store": "file", "root": "./data" } }'],
  ["sessions.config.js", 'export default { store: "file:./data" };'],
  [
    "sessions.config.ts",
    'import { defineConfig } from "@sessions/config";\nconst root: string = "./data";\nexport default defineConfig({ store: { store: "file", root } });',
  ],
])(
  "without a target and SESSIONS_STORE, the nearest config file up the tree is used: %s",
  async (name, content) => {
    const top = await temporaryFolder({ [name]: content, "package.json": '{ "type": "module" }' });
    const cwd = join(top, "deep/er");
    await mkdir(cwd, { recursive: true });
    expect(await opened(undefined, cwd), "its paths begin where it is").toMatchObject({
      location: join(top, "data"),
    });
  },
);

test("without any setting, the default folder is used, with a notice", async () => {
  const cwd = await temporaryFolder();
  const notices: string[] = [];
  const resolved = await resolveStore(undefined, { cwd, env, onNotice: (notice) => notices.push(notice) });
  expect(resolved).toMatchObject({
    kind: "file",
    location: `file:${join(cwd, "sessions")}`,
    source: "the default",
  });
  expect(notices).toEqual([expect.stringContaining("SESSIONS_STORE=file:./sessions")]);
  expect(existsSync(join(cwd, "sessions")), "nothing is made before it is opened").toBe(false);
});

test("the modes existing and read-only create no store", async () => {
  const cwd = await temporaryFolder();
  for (const target of ["file:./sesions", "sqlite:./sesions.db"]) {
    for (const mode of ["existing", "read-only"] as const) {
      const resolved = await resolveStore(target, { cwd, env });
      await expect(resolved.open(mode)).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringContaining("There is no store at"),
      });
    }
  }
  expect(existsSync(join(cwd, "sesions"))).toBe(false);
  expect(existsSync(join(cwd, "sesions.db"))).toBe(false);
});

test("a custom kind of store opens from code and from a config file", async () => {
  const ours = storeKind({
    name: "ours",
    schemes: ["ours"],
    options: { region: text("the name of a region") },
    fromUrl: ({ address }) => ({ region: address.replace("//", "") }),
    locate: ({ region }) => `ours://${region}`,
    open: async () => openMemoryStore(),
  });
  const resolved = await resolveStore("ours://north", { stores: [ours], env });
  expect(resolved).toMatchObject({ kind: "ours", location: "ours://north" });
  await (await resolved.open()).close();
  await expect(resolveStore("ours:x?reigon=y", { stores: [ours], env })).rejects.toMatchObject({
    path: "target.reigon",
    message: expect.stringContaining('Did you mean "region"?'),
  });
});
