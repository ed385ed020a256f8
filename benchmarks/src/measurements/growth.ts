import type { SessionStore } from "@sessions/protocol";
import { alternating, type Cost, costOf } from "../alternating.js";
import { atMost } from "../bar.js";
import { growInBatches, message } from "../chat.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Measurement } from "../measurement.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";

const SHORT = 100;
const LONG = 100_000;
/** Appends before each is measured, to a third session: a process that has run for a while has compiled what it does all day. */
const WARM_UP = 2000;

/** An append must not cost more as a session grows. `times`: how many in a block; enough that no row is decided by a checkpoint. */
export function appendGrowth(under: StoreUnderTest, times: number): Measurement {
  return growth(under, "append", 1.3, async (store, id) => {
    for (let count = 0; count < WARM_UP; count++) await store.addMessage("warm-up", message(0));
    return costOf(times, () => store.addMessage(id, message(0)));
  });
}

/** Reading the last messages must not cost more as a session grows. */
export function tailGrowth(under: StoreUnderTest): Measurement {
  return growth(under, "last 20", 2, async (store, id) => {
    return costOf(100, async () => {
      ensureEqual("messages read", (await store.getChatHistory(id, { limit: 20 })).length, 20);
    });
  });
}

/** A snapshot stores a name, however long the session is. */
export function snapshotGrowth(under: StoreUnderTest): Measurement {
  return growth(under, "createSnapshot", 2, async (store, id) => {
    return costOf(
      10,
      () => store.createSnapshot(id, "here"),
      () => store.dropSnapshot(id, "here"),
    );
  });
}

/** Archives all but the last messages. Restoring them is not counted. */
export function archiveGrowth(under: StoreUnderTest): Measurement {
  return growth(under, "archiveMessages", 2, async (store, id, length) => {
    await store.createSnapshot(id, "before");
    const archive = async (): Promise<void> => {
      const archived = await store.archiveMessages(id, { keepRecent: 20 });
      ensureEqual("messages archived", archived?.messageCount, length - 20);
    };
    return costOf(5, archive, () => store.revertToSnapshot(id, "before"));
  });
}

type CostAt = (store: SessionStore, id: string, length: number) => Promise<Cost>;

function growth(under: StoreUnderTest, work: string, most: number, costAt: CostAt): Measurement {
  return {
    work: `${under.name}: ${work} at 100 000 messages ÷ at 100, each between other sessions`,
    unit: "×",
    bar: atMost(most),
    async measure({ runs, folder }) {
      await prepare(under, folder);
      await using store = await under.open(folder);
      const long = await costAt(store, "long", LONG);
      const short = await costAt(store, "short", SHORT);
      return { values: await alternating(runs, long, short) };
    },
  };
}

/**
 * Makes both sessions between two others, because appending to the last session of a file is cheaper than to one in the middle.
 */
async function prepare(under: StoreUnderTest, folder: string): Promise<void> {
  await using store = await under.openToPrepare(folder);
  await growInBatches(store, "first", SHORT);
  await growInBatches(store, "long", LONG);
  await growInBatches(store, "second", SHORT);
  await growInBatches(store, "short", SHORT);
  await growInBatches(store, "last", SHORT);
}
