import type { Message, SessionStore } from "@sessions/protocol";
import { atMost } from "../bar.js";
import { growInBatches, messages } from "../chat.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Measurement } from "../measurement.js";
import { type Bytes, bytesNow } from "../stores/redis-server.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";

const LENGTH = 2000;
const TIMES = 20;

/** What a server writes to its file when a framework gives back all that it has read and two messages more. */
export function replaceBytes(under: StoreUnderTest): Measurement {
  return {
    work: `${under.name}: bytes in the append-only file for setChatHistory of 2 000 messages read before + 2 new ÷ for addMessage of 2`,
    unit: "×",
    bar: atMost(2),
    async measure({ runs, folder }) {
      await using store = await under.open(folder);
      for (const id of ["replaced", "grown"]) await growInBatches(store, id, LENGTH);
      const replace = replacing(store, await store.getChatHistory("replaced"));
      const values: number[] = [];
      const sent: number[] = [];
      for (let run = 0; run < Math.min(runs, 5); run++) {
        const replaced = await bytesOf(replace);
        const appended = await bytesOf(() => store.addMessage("grown", messages(2)));
        values.push(replaced.written / appended.written);
        sent.push(replaced.received / appended.received);
      }
      const least = Math.min(...sent).toFixed(2);
      const most = Math.max(...sent).toFixed(2);
      return { values, note: `bytes that the server received: ${least}–${most}×` };
    },
  };
}

/** Gives back what there is, with two messages more each time. */
function replacing(store: SessionStore, history: Message[]): () => Promise<void> {
  return async () => {
    const { messages: added } = await store.setChatHistory("replaced", [...history, ...messages(2)]);
    ensureEqual("messages added by setChatHistory", added.length, 2);
    history.push(...added);
  };
}

async function bytesOf(work: () => Promise<unknown>): Promise<Bytes> {
  const before = await bytesNow();
  for (let time = 0; time < TIMES; time++) await work();
  const after = await bytesNow();
  return { written: after.written - before.written, received: after.received - before.received };
}
