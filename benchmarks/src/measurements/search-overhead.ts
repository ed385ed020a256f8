import { join } from "node:path";
import type { SessionStore } from "@sessions/protocol";
import { alternating, type Cost, costOf } from "../alternating.js";
import { message } from "../chat.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Measurement } from "../measurement.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";

const APPENDS = 50;
const WARM_UP = 3000;

/** The cost of an append with the search index ÷ that without. It has no bar, because the index is optional. */
export function searchOverhead(plain: StoreUnderTest, searched: StoreUnderTest["open"]): Measurement {
  return {
    work: `${plain.name}: addMessage with full-text search ÷ without`,
    unit: "×",
    bar: undefined,
    async measure({ runs, folder }) {
      await using without = await plain.open(join(folder, "without"));
      await using withSearch = await searched(join(folder, "with"));
      for (const store of [without, withSearch]) await costOf(WARM_UP, append(store))();
      const values = await alternating(runs, cost(withSearch), cost(without));
      const found = await withSearch.search?.({ text: "message", limit: 1 });
      ensureEqual("hits of a search", found?.items.length, 1);
      return { values };
    },
  };
}

function cost(store: SessionStore): Cost {
  return costOf(APPENDS, append(store));
}

function append(store: SessionStore): () => Promise<unknown> {
  let index = 0;
  return () => store.addMessage("s", message(index++));
}
