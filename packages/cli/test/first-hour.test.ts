import { existsSync } from "node:fs";
import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { openSqliteStore } from "@sessions/sqlite";
import { expect, test } from "vitest";
import { Installation } from "./installation.js";

const BINDING = "build/Release/better_sqlite3.node";

/** What `sessions` says about a store that it cannot open: one sentence, no stack, exit code 6, no retry. */
async function refusal(installation: Installation, store: string): Promise<string> {
  const [ended, json] = await Promise.all([
    installation.sessions("ls", "--store", store),
    installation.sessions("ls", "--store", store, "--json"),
  ]);
  expect(ended).toMatchObject({ code: 6, stdout: "" });
  expect(ended.stderr).not.toMatch(/^ +at /m);
  const { error } = JSON.parse(json.stderr);
  expect(error).toMatchObject({ code: "STORE_UNAVAILABLE", retryable: false, exitCode: 6 });
  expect(ended.stderr.trim()).toBe(error.message);
  return error.message;
}

/** The native part of better-sqlite3 of this repository. */
async function ownBinding(): Promise<Buffer> {
  const sqlite = createRequire(import.meta.url).resolve("@sessions/sqlite/package.json");
  const driver = createRequire(await realpath(sqlite)).resolve("better-sqlite3/package.json");
  return readFile(join(driver, "..", BINDING));
}

/** The same for another version of Node: the version stands in the module's registration and in the name of its entry. */
function builtForAnother(binding: Buffer): Buffer {
  const other = Buffer.from(binding);
  const version = Number(process.versions.modules);
  const entry = Buffer.from(`node_register_module_v${version}\0`);
  for (let at = other.indexOf(entry); at !== -1; at = other.indexOf(entry, at)) other.write("v001", at + 20);
  const registration = Buffer.alloc(16);
  registration.writeUInt32LE(version);
  for (let at = other.indexOf(registration); at !== -1; at = other.indexOf(registration, at + 1))
    other.writeUInt32LE(1, at);
  return other;
}

async function withBinding(binding: Buffer): Promise<Installation> {
  const installation = await Installation.of(["@sessions/cli", "@sessions/sqlite"]);
  const file = join(installation.packageFolder("better-sqlite3"), BINDING);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, binding);
  return installation;
}

test.each([
  ["file:./data", "@sessions/json-file"],
  ["sqlite:./data.db", "@sessions/sqlite"],
  ["redis://127.0.0.1:1", "@sessions/redis"],
])("a store whose package is not installed: %s", async (store, name) => {
  const installation = await Installation.of(["@sessions/cli"]);
  await writeFile(join(installation.folder, "pnpm-lock.yaml"), "");
  await mkdir(join(installation.folder, "data"));
  for (const made of ["data/format.json", "data.db"]) await writeFile(join(installation.folder, made), "x");
  expect(await refusal(installation, store)).toBe(
    `This store needs the package ${name}. Run: pnpm add ${name}`,
  );
});

test("a store's package that is installed without what it depends on", async () => {
  const installation = await Installation.of(["@sessions/cli", "@sessions/sqlite"], ["better-sqlite3"]);
  await writeFile(join(installation.folder, "data.db"), "x");
  expect(await refusal(installation, "sqlite:./data.db")).toMatch(
    /^The package @sessions\/sqlite is installed but cannot be loaded: Cannot find package 'better-sqlite3'/,
  );
});

test("better-sqlite3 without its native part, whose install script was not allowed to run", async () => {
  const installation = await Installation.of(["@sessions/cli", "@sessions/sqlite"]);
  await writeFile(join(installation.folder, "data.db"), "x");
  const message = await refusal(installation, "sqlite:./data.db");
  expect(message).toContain("pnpm approve-builds");
  expect(message).toContain("npm rebuild better-sqlite3");
  const open = `import { openSqliteStore } from "@sessions/sqlite"; await openSqliteStore({ path: "new/data.db" });`;
  expect(await installation.node("--input-type=module", "--eval", open)).toMatchObject({ code: 1 });
  expect(existsSync(join(installation.folder, "new"))).toBe(false);
});

test("better-sqlite3 that was built for another version of Node", async () => {
  const installation = await withBinding(builtForAnother(await ownBinding()));
  await writeFile(join(installation.folder, "data.db"), "x");
  const message = await refusal(installation, "sqlite:./data.db");
  expect(message).toContain("was built for another version of Node: for NODE_MODULE_VERSION 1,");
  expect(message).toContain(`Node ${process.versions.node} has ${process.versions.modules}`);
  expect(message).toContain("npm rebuild better-sqlite3");
});

test("better-sqlite3 that was built for another kind of machine", async () => {
  const installation = await withBinding(Buffer.from("this is code for another kind of machine"));
  await writeFile(join(installation.folder, "data.db"), "x");
  const message = await refusal(installation, "sqlite:./data.db");
  expect(message).toContain(
    `cannot be loaded by Node ${process.versions.node} on ${process.platform} ${process.arch}`,
  );
  expect(message).toContain("npm rebuild better-sqlite3");
});

test("the same installation with its native part opens the store", async () => {
  const installation = await withBinding(await ownBinding());
  const store = await openSqliteStore({ path: join(installation.folder, "data.db") });
  await store.addMessage("user-42", { role: "user", content: "Hello." });
  await store.close();
  const ended = await installation.sessions("ls", "--store", "sqlite:./data.db", "--json");
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("user-42") });
});
