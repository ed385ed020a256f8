import { expect, test } from "vitest";
import { sharedServer } from "./servers.js";
import { type OpenedStore, openedStore } from "./store.js";

const server = await sharedServer();

const MESSAGES = 100_000;
/** What one command may carry: with this the server is busy for a few milliseconds. */
const MOST_ARGUMENTS = 2100;
/** By the clock of a machine that may be loaded, so with a wide margin: 50 ms are aimed at, and all at once takes seconds. */
const LONGEST_US = 300_000;

const messages = (from: number, count: number): { id: string; role: string; content: string }[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `m${from + n}`,
    role: "user",
    content: `message ${from + n}`,
  }));

interface Longest {
  readonly us: number;
  readonly args: number;
}

/** The longest of the commands since the log was reset: in microseconds, and in arguments. */
async function longest({ client }: OpenedStore): Promise<Longest> {
  const entries: unknown = await client.slowlog("GET", -1);
  const list: readonly unknown[] = Array.isArray(entries) ? entries : [];
  let [us, args] = [0, 0];
  for (const entry of list) {
    if (!Array.isArray(entry) || !Array.isArray(entry[3])) continue;
    us = Math.max(us, Number(entry[2]));
    // The log keeps the first of them, and says how many there were.
    const more = /\((\d+) more arguments\)/.exec(String(entry[3].at(-1)))?.[1];
    args = Math.max(args, entry[3].length + Number(more ?? 0));
  }
  return { us, args };
}

test("100 000 messages are replaced, forked, archived, read and removed without holding up the server", async () => {
  await using opened = await openedStore(server, { deadlineMs: 120_000 });
  const { store, client } = opened;
  await client.config("SET", "slowlog-log-slower-than", "0", "slowlog-max-len", "5000");
  const all: Longest[] = [];
  const measured = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    await client.slowlog("RESET");
    await work();
    const { us, args } = await longest(opened);
    all.push({ us, args });
    console.log(`${name}: at most ${(us / 1000).toFixed(1)} ms and ${args} arguments in one command`);
  };
  await measured("set", () => store.setChatHistory("s", messages(0, MESSAGES)));
  await measured("append", () => store.addMessage("s", { role: "user", content: "one more" }));
  await measured("tail", async () => expect(await store.getChatHistory("s", { limit: 20 })).toHaveLength(20));
  await measured("snapshot", () => store.createSnapshot("s", "all"));
  await measured("archive", () => store.archiveMessages("s", { keepRecent: 10 }));
  await measured("read", async () =>
    expect((await store.exportSession("s")).session.messages).toHaveLength(MESSAGES + 1),
  );
  await measured("fork", () => store.forkSession("s", { newId: "f" }));
  await measured("replace", () => store.setChatHistory("f", messages(MESSAGES, MESSAGES)));
  await measured("delete", () => store.deleteSession("s"));
  expect(Math.max(...all.map(({ args }) => args))).toBeLessThanOrEqual(MOST_ARGUMENTS);
  expect(Math.max(...all.map(({ us }) => us))).toBeLessThan(LONGEST_US);
  expect(await store.verify("f")).toMatchObject({ ok: true });
}, 240_000);
