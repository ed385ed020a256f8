import { cp, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openJsonFileStore } from "../../src/index.js";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-moved-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

const say = (content: string): { role: string; content: string } => ({ role: "user", content });

test.each(["rename", "remove"])(
  "after a %s of the folder nothing is acknowledged that went to the old file",
  async (how) => {
    await using store = await openJsonFileStore({ root });
    for (const content of ["one", "two", "three"]) await store.addMessage("s", say(content));
    const folder = join(root, "sessions", "s");
    if (how === "rename") await rename(folder, join(root, "elsewhere"));
    else await rm(folder, { recursive: true });
    await store.addMessage("s", say("four"));
    expect((await store.getChatHistory("s")).map(({ content }) => content)).toEqual(["four"]);
    expect(await readFile(join(folder, "1.jsonl"), "utf8")).toContain('"four"');
    await using fresh = await openJsonFileStore({ root });
    expect((await fresh.getChatHistory("s")).map(({ content }) => content)).toEqual(["four"]);
  },
);

test("a store continues with a folder that was restored from a copy", async () => {
  await using store = await openJsonFileStore({ root });
  await store.addMessage("s", say("one"));
  await store.addMessage("t", say("other"));
  const [folder, copy] = [join(root, "sessions", "s"), join(root, "copy")];
  await cp(folder, copy, { recursive: true });
  for (const content of ["two", "three"]) await store.addMessage("s", say(content));
  await rename(folder, join(root, "old"));
  await rename(copy, folder);
  await Promise.all([
    store.addMessage("s", say("four")),
    store.addMessage("t", say("others")),
    store.getSession("s"),
  ]);
  expect((await store.getChatHistory("s")).map(({ content }) => content)).toEqual(["one", "four"]);
  expect((await store.getChatHistory("t")).map(({ content }) => content)).toEqual(["other", "others"]);
});

test("a store of a newer format that takes the place of an open one is refused, and not written to", async () => {
  const place = join(root, "store");
  await using store = await openJsonFileStore({ root: place });
  for (const content of ["one", "two", "three"]) await store.addMessage("s", say(content));
  const newer = join(root, "newer");
  await cp(place, newer, { recursive: true });
  await writeFile(join(newer, "format.json"), '{"format":"sessions-json-file","version":99}\n');
  await rename(place, join(root, "old"));
  await rename(newer, place);
  const journal = await readFile(join(place, "sessions", "s", "1.jsonl"), "utf8");
  for (const id of ["s", "new"]) {
    await expect(store.addMessage(id, say("four"))).rejects.toMatchObject({ code: "FORMAT_UNSUPPORTED" });
  }
  expect(await readFile(join(place, "sessions", "s", "1.jsonl"), "utf8")).toBe(journal);
});
