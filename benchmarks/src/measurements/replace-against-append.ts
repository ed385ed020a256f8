import type { Message, SessionStore } from "@sessions/protocol";
import { alternating, type Cost, costOf } from "../alternating.js";
import { atMost } from "../bar.js";
import { growInBatches, messages } from "../chat.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Measurement } from "../measurement.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";

const LENGTH = 2000;
const TIMES = 10;

/** What frameworks do after each turn: they replace the history with what they have read and two more messages. */
export function replaceAgainstAppend(under: StoreUnderTest): Measurement {
  return {
    work: `${under.name}: setChatHistory of 2 000 messages read before + 2 new ÷ addMessage of 2`,
    unit: "×",
    bar: atMost(3),
    async measure({ runs, folder }) {
      await using store = await under.open(folder);
      for (const id of ["replaced", "grown"]) await growInBatches(store, id, LENGTH);
      const history = await store.getChatHistory("replaced");
      const append = costOf(TIMES, () => store.addMessage("grown", messages(2)));
      return { values: await alternating(runs, replaceCost(store, history), append) };
    },
  };
}

/** The two messages are removed again without being counted, so that the work stays the same. */
function replaceCost(store: SessionStore, history: readonly Message[]): Cost {
  const replace = async (): Promise<void> => {
    const { messages: added } = await store.setChatHistory("replaced", [...history, ...messages(2)]);
    ensureEqual("messages added by setChatHistory", added.length, 2);
  };
  return costOf(TIMES, replace, () => store.setChatHistory("replaced", history));
}
