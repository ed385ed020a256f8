import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openJsonFileStore } from "@sessions/json-file";
import { expect, test } from "vitest";
import { sessions, temporaryFolder } from "./run-sessions.js";

test("ls says on stderr which sessions it left out because they are damaged", async () => {
  const cwd = await temporaryFolder();
  const store = await openJsonFileStore({ root: join(cwd, "store"), durability: "relaxed" });
  for (const id of ["sound", "broken"]) await store.addMessage(id, { role: "user", content: "hello" });
  await store.close();
  const folder = join(cwd, "store/sessions/broken");
  const [segment = ""] = await readdir(folder);
  const text = await readFile(join(folder, segment), "utf8");
  await writeFile(join(folder, segment), text.replace("hello", "jello"));

  const listed = await sessions(["ls", "--store", "file:./store"], { cwd });
  expect(listed.stdout).toContain("sound");
  expect(listed.stdout).not.toContain("broken");
  expect(listed.stderr).toMatch(/^warning: .*broken/m);
});
