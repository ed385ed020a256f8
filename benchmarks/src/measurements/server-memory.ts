import { growOneByOne } from "../chat.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Measurement } from "../measurement.js";
import { runningServer } from "../stores/redis-server.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";

const SESSIONS = 20;
const LENGTH = 1000;

/** What a server holds in memory for sessions of a thousand messages, ÷ the JSON of these messages. Only told. */
export function serverMemory(under: StoreUnderTest): Measurement {
  return {
    work: `${under.name}: memory of the server for 1 000 messages, one commit each ÷ their JSON`,
    unit: "×",
    bar: undefined,
    async measure({ folder }) {
      await using store = await under.open(folder);
      await growOneByOne(store, "first", 1); // what a store needs once is not a message's
      const values: number[] = [];
      let [bytes, json] = [0, 0];
      for (let session = 0; session < SESSIONS; session++) {
        const before = await usedMemory();
        await growOneByOne(store, `s${session}`, LENGTH);
        bytes = (await usedMemory()) - before;
        const found = (await store.getSession(`s${session}`))?.messages ?? [];
        ensureEqual("messages stored", found.length, LENGTH);
        json = found.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)), 0);
        values.push(bytes / json);
      }
      const each = (all: number): string => `${Math.round(all / LENGTH)} bytes`;
      return { values, note: `a message of ${each(json)} takes ${each(bytes)}` };
    },
  };
}

/** Without what the server has reserved for clients and its append-only file, which comes and goes. */
async function usedMemory(): Promise<number> {
  const stats = await runningServer().call("MEMORY", "STATS");
  const flat = Array.isArray(stats) ? stats : [];
  return Number(flat[flat.indexOf("dataset.bytes") + 1]);
}
