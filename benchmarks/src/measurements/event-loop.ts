import type { SessionStore } from "@sessions/protocol";
import { atMost } from "../bar.js";
import { growOneByOne, messages } from "../chat.js";
import { ensureEqual } from "../ensure-equal.js";
import { longestBlock } from "../longest-block.js";
import type { Measurement } from "../measurement.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";

const LENGTH = 10_000;

/** From a new store without a cache. */
export function blockWhileColdReading(under: StoreUnderTest): Measurement {
  return block(under, "opened and read cold", async (folder) => {
    return longestBlock(async () => {
      await using store = await under.open(folder);
      await readAll(store);
    });
  });
}

/** From a store that has cached them. */
export function blockWhileWarmReading(under: StoreUnderTest): Measurement {
  return block(under, "read warm", async (folder) => {
    await using store = await under.open(folder);
    await readAll(store);
    return longestBlock(() => readAll(store));
  });
}

/** With different messages each time, because equal ones would only be compared. */
export function blockWhileReplacing(under: StoreUnderTest): Measurement {
  let said = LENGTH;
  return block(under, "replaced by as many new ones", async (folder) => {
    await using store = await under.open(folder);
    await readAll(store);
    const others = messages(LENGTH, said);
    said += LENGTH;
    const longest = await longestBlock(async () => {
      const { messages: added } = await store.setChatHistory("s", others);
      ensureEqual("messages that were new", added.length, LENGTH);
    });
    await readAll(store);
    return longest;
  });
}

function block(
  under: StoreUnderTest,
  work: string,
  blockIn: (folder: string) => Promise<number>,
): Measurement {
  return {
    work: `${under.name}: longest block of the event loop while 10 000 messages are ${work}`,
    unit: "ms",
    bar: atMost(50),
    async measure({ runs, folder }) {
      await prepare(under, folder);
      const values: number[] = [];
      await blockIn(folder); // warm-up
      for (let run = 0; run < runs; run++) values.push(await blockIn(folder));
      return { values };
    },
  };
}

async function prepare(under: StoreUnderTest, folder: string): Promise<void> {
  await using store = await under.openToPrepare(folder);
  await growOneByOne(store, "s", LENGTH);
}

async function readAll(store: SessionStore): Promise<void> {
  const session = await store.getSession("s");
  ensureEqual("messages read", session?.messages.length, LENGTH);
}
