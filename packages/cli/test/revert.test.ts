import { openStore } from "@sessions/config";
import { expect, test } from "vitest";
import { durableStores } from "./durable-stores.js";
import { inTerminal } from "./pseudo-terminal.js";
import { sessionsHere, temporaryFolder } from "./run-sessions.js";

async function filled(url: string): Promise<void> {
  await using store = await openStore(url);
  await store.addMessage(
    "s",
    [1, 2, 3].map((n) => ({ id: `m${n}`, role: "user", content: `${n}` })),
  );
  await store.createSnapshot("s", "before");
  await store.addMessage("s", { id: "m4", role: "user", content: "4" });
}

test.each(durableStores)("revert refuses what does not exist before it asks: $kind", async ({ url }) => {
  const cwd = await temporaryFolder();
  await filled(url(cwd, "store"));
  const env = { SESSIONS_STORE: url(cwd, "store") };
  // Without --yes nobody can be asked here, which has exit code 5.
  const snapshot = await sessionsHere(["revert", "s", "--snapshot", "nothing"], { cwd, env });
  expect(snapshot).toMatchObject({ code: 3, stderr: expect.stringContaining("It has: before.") });
  const message = await sessionsHere(["revert", "s", "--message", "nothing"], { cwd, env });
  expect(message.code).toBe(3);
  expect(await sessionsHere(["revert", "s", "--message", "m2"], { cwd, env })).toMatchObject({ code: 5 });
});

test("revert asks with what the session has and what it would have", async () => {
  const cwd = await temporaryFolder();
  await filled(`file:${cwd}/store`);
  const question = 'Revert "s" from 4 live messages to snapshot "before" with 3 messages? [y/N]';
  const seen = await inTerminal(["revert", "s", "--snapshot", "before", "--store", "file:./store"], { cwd }, [
    { to: question, type: "y\r" },
  ]);
  expect(seen).toMatchObject({
    code: 0,
    lines: expect.arrayContaining(['"s" has 3 messages now, at revision 4.']),
  });
});
