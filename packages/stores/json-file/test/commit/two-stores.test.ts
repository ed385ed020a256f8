import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openJsonFileStore } from "../../src/index.js";

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "sessions-two-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

test.each([{ rotateBytes: 0 }, { rotateBytes: 1 << 20 }])(
  "two stores on one folder in one process lose nothing and agree (%o)",
  async (options) => {
    await using one = await openJsonFileStore({ root, ...options });
    await using two = await openJsonFileStore({ root, ...options });
    const write = async (store: typeof one, name: string): Promise<void> => {
      for (let index = 0; index < 100; index++)
        await store.addMessage("s", { id: `${name}-${index}`, role: "user" });
    };
    await Promise.all([write(one, "one"), write(two, "two"), write(two, "too")]);
    const [here, there] = [await one.getChatHistory("s"), await two.getChatHistory("s")];
    expect(there).toEqual(here);
    expect(new Set(here.map(({ id }) => id)).size).toBe(300);
    for (const name of ["one", "two", "too"]) {
      const own = here.flatMap(({ id }) => (id.startsWith(name) ? [Number(id.split("-")[1])] : []));
      expect(own).toEqual(Array.from({ length: 100 }, (_, index) => index));
    }
    expect((await one.getSession("s"))?.revision).toBe(300);
  },
);

test("a commit is read by the other store as soon as it is acknowledged", async () => {
  await using one = await openJsonFileStore({ root });
  await using two = await openJsonFileStore({ root });
  for (let index = 1; index <= 100; index++) {
    const [writer, reader] = index % 2 === 0 ? [one, two] : [two, one];
    await writer.addMessage("s", { id: `m${index}`, role: "user" });
    expect((await reader.getChatHistory("s")).at(-1)?.id).toBe(`m${index}`);
  }
});

test("a turn that one store holds is busy for the other, which interrupts it", async () => {
  await using one = await openJsonFileStore({ root });
  await using two = await openJsonFileStore({ root });
  const begun = await one.beginTurn("s", { messages: [{ role: "user", content: "hello" }] });
  if (begun.status !== "begun") throw new Error("the turn did not begin");
  await expect(two.beginTurn("s", { waitMs: 0 })).rejects.toMatchObject({ code: "TURN_BUSY" });
  await two.interruptTurn("s");
  await new Promise((resolve) => {
    if (begun.turn.signal.aborted) resolve(undefined);
    begun.turn.signal.addEventListener("abort", resolve);
  });
  await begun.turn.release();
});
