import { join } from "node:path";
import type { ListSessionsQuery, SessionStore } from "@sessions/protocol";
import { alternating, type Cost, costOf } from "../alternating.js";
import { atMost } from "../bar.js";
import { message } from "../chat.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Measurement } from "../measurement.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";

const FEW = 100;
const MANY = 10_000;
export const PAGE = 50;
const TIMES = 10;
/** The number of sessions that are written concurrently while a store is filled. */
const AT_ONCE = 100;

const PARENT = "parent";
const LABELS = { user: "ada" };

/** How sessions are listed. */
export type Listing = "recency" | "label" | "parent" | "creation";

const QUERIES: Readonly<Record<Listing, ListSessionsQuery>> = {
  recency: {},
  label: { labels: LABELS },
  parent: { parent: PARENT },
  creation: { order: "created-desc" },
};

/** Lists a page of a busy store and of a small one. */
export function activePage(under: StoreUnderTest, by: Listing = "recency"): Measurement {
  return {
    work: `${under.name}: list ${PAGE} of 10 000 sessions that were all used within the last minute, by ${by} ÷ of 100`,
    unit: "×",
    bar: atMost(3),
    async measure({ runs, folder }) {
      await using few = await usedSessions(under, join(folder, "few"), FEW, by);
      await using many = await usedSessions(under, join(folder, "many"), MANY, by);
      return { values: await alternating(runs, pageCost(many, by), pageCost(few, by)) };
    },
  };
}

/** Lists all sessions of a busy store, and as many pages of a small one. */
export function activeWalk(under: StoreUnderTest, by: Listing = "recency"): Measurement {
  const pages = MANY / PAGE;
  return {
    work: `${under.name}: walk of 10 000 sessions that were all used within the last minute, by ${by} ÷ ${pages} pages of ${PAGE} of 100`,
    unit: "×",
    bar: atMost(3),
    async measure({ runs, folder }) {
      await using few = await usedSessions(under, join(folder, "few"), FEW, by);
      await using many = await usedSessions(under, join(folder, "many"), MANY, by);
      const walk: Cost = costOf(1, async () => ensureEqual("sessions", await walked(many, by), MANY));
      const asManyPages: Cost = costOf(1, async () => {
        for (let page = 0; page < pages; page++) await pageOf(few, by);
      });
      return { values: await alternating(Math.min(runs, 3), walk, asManyPages) };
    },
  };
}

export function pageCost(store: SessionStore, by: Listing): Cost {
  return costOf(TIMES, () => pageOf(store, by));
}

async function pageOf(store: SessionStore, by: Listing): Promise<void> {
  const { items } = await store.listSessions({ ...QUERIES[by], limit: PAGE });
  ensureEqual("sessions listed", items.length, PAGE);
}

async function walked(store: SessionStore, by: Listing): Promise<number> {
  let count = 0;
  for await (const _ of store.listSessions({ ...QUERIES[by], limit: PAGE })) count++;
  return count;
}

/** Creates sessions, and then writes to each once more in another order. */
export async function usedSessions(
  under: StoreUnderTest,
  folder: string,
  sessions: number,
  by: Listing,
): Promise<SessionStore> {
  const store = await under.openToPrepare(folder);
  const ids = Array.from({ length: sessions }, (_, index) => `s${(index * 7919) % sessions}`);
  await store.addMessage(PARENT, message(0));
  await atOnce(ids, (id) => made(store, id, by));
  await atOnce(ids.toReversed(), (id) => store.addMessage(id, message(1)));
  if (by !== "parent" && by !== "label") await store.deleteSession(PARENT);
  return store;
}

function made(store: SessionStore, id: string, by: Listing): Promise<unknown> {
  if (by === "parent") return store.forkSession(PARENT, { newId: id });
  return store.createSession(id, { messages: [message(0)], labels: by === "label" ? LABELS : {} });
}

async function atOnce(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE)
    await Promise.all(ids.slice(from, from + AT_ONCE).map(work));
}
