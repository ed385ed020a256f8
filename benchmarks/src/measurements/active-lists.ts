import { join } from "node:path";
import type { SessionStore } from "@sessions/protocol";
import { alternating, type Cost, costOf } from "../alternating.js";
import { atMost } from "../bar.js";
import { message } from "../chat.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Measurement } from "../measurement.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";

const FEW = 100;
const MANY = 10_000;
const PAGE = 50;
const TIMES = 10;
/** The number of sessions that are written concurrently while a store is filled. */
const AT_ONCE = 100;

/** Lists the newest sessions of a busy store and of a small one. */
export function activePage(under: StoreUnderTest): Measurement {
  return {
    work: `${under.name}: list ${PAGE} of 10 000 sessions that were all used within the last minute ÷ of 100`,
    unit: "×",
    bar: atMost(3),
    async measure({ runs, folder }) {
      await using few = await used(under, join(folder, "few"), FEW);
      await using many = await used(under, join(folder, "many"), MANY);
      return { values: await alternating(runs, pageCost(many), pageCost(few)) };
    },
  };
}

/** Lists all sessions of a busy store, and as many pages of a small one. */
export function activeWalk(under: StoreUnderTest): Measurement {
  const pages = MANY / PAGE;
  return {
    work: `${under.name}: walk of 10 000 sessions that were all used within the last minute ÷ ${pages} pages of ${PAGE} of 100`,
    unit: "×",
    bar: atMost(3),
    async measure({ runs, folder }) {
      await using few = await used(under, join(folder, "few"), FEW);
      await using many = await used(under, join(folder, "many"), MANY);
      const walk: Cost = costOf(1, async () => ensureEqual("sessions", await walked(many), MANY));
      const asManyPages: Cost = costOf(1, async () => {
        for (let page = 0; page < pages; page++) await newest(few);
      });
      return { values: await alternating(Math.min(runs, 3), walk, asManyPages) };
    },
  };
}

function pageCost(store: SessionStore): Cost {
  return costOf(TIMES, () => newest(store));
}

async function newest(store: SessionStore): Promise<void> {
  const { items } = await store.listSessions({ limit: PAGE });
  ensureEqual("sessions listed", items.length, PAGE);
}

async function walked(store: SessionStore): Promise<number> {
  let count = 0;
  for await (const _ of store.listSessions({ limit: PAGE, order: "id-asc" })) count++;
  return count;
}

/** Creates sessions, and then writes to each once more in another order. */
async function used(under: StoreUnderTest, folder: string, sessions: number): Promise<SessionStore> {
  const store = await under.openToPrepare(folder);
  const ids = Array.from({ length: sessions }, (_, index) => `s${(index * 7919) % sessions}`);
  for (const order of [ids, ids.toReversed()])
    for (let from = 0; from < sessions; from += AT_ONCE)
      await Promise.all(order.slice(from, from + AT_ONCE).map((id) => store.addMessage(id, message(0))));
  return store;
}
