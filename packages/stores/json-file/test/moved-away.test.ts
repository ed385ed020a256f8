import { cp, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openJsonFileStore } from "../src/index.js";

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

test("a folder that was restored from a copy is what the store goes on with", async () => {
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
