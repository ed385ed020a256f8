import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openJsonFileStore } from "../../src/index.js";
import { HOSTILE_IDS } from "./hostile-ids.js";

let around: string;

beforeAll(async () => {
  around = await mkdtemp(join(tmpdir(), "sessions-ids-"));
});

afterAll(() => rm(around, { recursive: true, force: true }));

const hostile = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 40 }).filter((id) => id.isWellFormed()),
  fc.stringMatching(/^[./\\~:a-zA-Z]{1,12}$/),
);

test("each hostile id is a session of its own, and no file is made outside the store", async () => {
  const root = join(around, "deep", "store");
  await using store = await openJsonFileStore({ root, durability: "relaxed" });
  const ids = new Set([...HOSTILE_IDS, ...fc.sample(hostile, 150)]);
  for (const id of ids) await store.addMessage(id, { role: "user", content: id });
  for (const id of ids) {
    expect((await store.getChatHistory(id)).map(({ content }) => content)).toEqual([id]);
  }
  const listed: string[] = [];
  for await (const { id } of store.listSessions()) listed.push(id);
  expect(new Set(listed)).toEqual(ids);
  const files = await readdir(around, { recursive: true });
  const outside = files.filter(
    (file) => !relative(dirname(root), join(around, file)).startsWith(`store${sep}`),
  );
  expect(outside.sort()).toEqual(["deep", join("deep", "store")]);
});
