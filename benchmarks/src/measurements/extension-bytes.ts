import { extend, type SessionStore } from "@sessions/protocol";
import { atMost } from "../bar.js";
import type { Measurement } from "../measurement.js";
import { bytesNow } from "../stores/redis-server.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";

const EXTENSIONS = 1000;
const BLOCK = 10;
const TEXT = "x".repeat(100);
const DRAFT = "draft";

/** What a server writes to its file for an extension of a long draft, ÷ for one of a short draft. */
export function extensionBytes(under: StoreUnderTest): Measurement {
  return {
    work: `${under.name}: bytes in the append-only file per extension of a draft by 100 bytes, 991st to ${EXTENSIONS}th ÷ 1st to ${BLOCK}th`,
    unit: "×",
    bar: atMost(1.2),
    async measure({ runs, folder }) {
      await using store = await under.open(folder);
      const values: number[] = [];
      let [early, late] = [0, 0];
      for (let run = 0; run < Math.min(runs, 3); run++) {
        const id = `s${run}`;
        await store.addMessage(id, { id: DRAFT, role: "assistant", content: "", status: "partial" });
        early = await bytesOf(store, id, BLOCK);
        await extended(store, id, EXTENSIONS - 2 * BLOCK);
        late = await bytesOf(store, id, BLOCK);
        values.push(late / early);
      }
      return { values, note: `${Math.round(early)} bytes at first, ${Math.round(late)} at last` };
    },
  };
}

async function bytesOf(store: SessionStore, id: string, times: number): Promise<number> {
  const before = await bytesNow();
  await extended(store, id, times);
  return ((await bytesNow()).written - before.written) / times;
}

async function extended(store: SessionStore, id: string, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await store.commit(id, extend(DRAFT, { text: TEXT }));
}
