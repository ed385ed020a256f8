import { openMemoryStore } from "@sessions/memory";
import type { SessionStore } from "@sessions/protocol";
import { expect, test } from "vitest";
import { Migration } from "../src/migrate/migration.js";
import type { Synced } from "../src/migrate/sync-session.js";

/** The same store; before it exports a session for the first time, something happens to it. */
function disturbed(store: SessionStore, disturb: () => Promise<unknown>): SessionStore {
  let isDone = false;
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name !== "exportSession") return value.bind(target);
      return async (...given: Parameters<SessionStore["exportSession"]>) => {
        if (!isDone) await disturb();
        isDone = true;
        return target.exportSession(...given);
      };
    },
  });
}

test("a migration updates its copy of a source session that was deleted and created again in the meantime", async () => {
  await using source = openMemoryStore();
  await using target = openMemoryStore();
  await source.addMessage("s", { role: "user", content: "first life" });
  const anew = async (content: string): Promise<void> => {
    await source.deleteSession("s");
    await source.addMessage("s", { role: "user", content });
  };
  const told: Synced[] = [];
  const migration = new Migration(
    disturbed(source, () => anew("second life")),
    target,
    { dryRun: false, follow: true, atOnce: 1, onSynced: (synced) => told.push(synced) },
  );
  await migration.copy();
  await anew("third life");
  await migration.copy();
  expect(told.map(({ status }) => status)).toEqual(["copied", "updated"]);
  expect(await target.getChatHistory("s")).toMatchObject([{ content: "third life" }]);
});
