import { readFile, writeFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { configSchema } from "./config-schema.js";

const file = new URL("../src/schema.json", import.meta.url);

/** `UPDATE_SCHEMA=1 pnpm exec vitest run test/schema.test.ts` writes it anew. */
test("the published schema agrees with the rules of the options", async () => {
  if (process.env["UPDATE_SCHEMA"] === "1")
    await writeFile(file, `${JSON.stringify(configSchema, null, 2)}\n`);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual(configSchema);
});

const valid = new Ajv({ allowUnionTypes: true }).compile(configSchema);

test.each([
  { store: "file:./sessions" },
  { store: { store: "sqlite", path: "./sessions.db", search: true } },
  { store: { url: "file:./sessions", durability: "relaxed" }, $schema: "./schema.json" },
  { store: { store: "redis", cluster: [{ host: "a", port: 7000 }], password: "p" } },
  { store: { store: "memory" } },
])("the schema accepts %j", (config) => {
  expect(valid(config), JSON.stringify(valid.errors)).toBe(true);
});

test.each([
  {},
  { store: "postgres://x" },
  { store: { store: "sqlite", pth: "./sessions.db" } },
  { store: { store: "sqlite", path: "./sessions.db", search: "yes" } },
  { store: { store: "file", durability: "sometimes" } },
  { store: "memory:", sotre: 1 },
])("the schema refuses %j", (config) => {
  expect(valid(config)).toBe(false);
});
