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

/** Lists a page of sessions by label, in a large store and in a small one. */
export function listGrowth(under: StoreUnderTest, label: "rare" | "common"): Measurement {
  return {
    work: `${under.name}: list ${PAGE} of 10 000 sessions by a ${label} label ÷ of 100`,
    unit: "×",
    bar: atMost(3),
    async measure({ runs, folder }) {
      await using few = await filled(under, join(folder, "few"), FEW);
      await using many = await filled(under, join(folder, "many"), MANY);
      return { values: await alternating(runs, cost(many, label), cost(few, label)) };
    },
  };
}

function cost(store: SessionStore, label: string): Cost {
  return costOf(TIMES, async () => {
    const { items } = await store.listSessions({ labels: { [label]: "yes" }, limit: PAGE });
    ensureEqual("sessions listed", items.length, PAGE);
  });
}

/** Every session has the common label, and fifty have the rare one. */
async function filled(under: StoreUnderTest, folder: string, sessions: number): Promise<SessionStore> {
  const store = await under.openToPrepare(folder);
  for (let from = 0; from < sessions; from += PAGE) {
    const ids = Array.from({ length: PAGE }, (_, index) => `s${from + index}`);
    await Promise.all(
      ids.map((id, index) => {
        const labels = { common: "yes", rare: index === 0 || sessions === FEW ? "yes" : "no" };
        return store.createSession(id, {
          labels: from / PAGE < PAGE ? labels : { common: "yes" },
          messages: [message(0)],
        });
      }),
    );
  }
  return store;
}
