import { openStore } from "@sessions/config";
import { expect, test } from "vitest";
import { sessions, temporaryFolder } from "./run-sessions.js";

test.each([
  ["backup", ["backup", "self.db"]],
  ["export", ["export", "--all", "-o", "self.db"]],
])("%s never replaces an SQLite database, whatever is confirmed", async (_name, args) => {
  const cwd = await temporaryFolder();
  const url = `sqlite:${cwd}/self.db`;
  {
    await using store = await openStore(url);
    await store.addMessage("s", { role: "user", content: "hello" });
  }
  expect(await sessions([...args, "--yes", "--store", url], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("self.db is an SQLite database. Name another file."),
  });
  await using store = await openStore(url);
  expect(await store.getChatHistory("s")).toMatchObject([{ content: "hello" }]);
});
