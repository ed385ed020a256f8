import { message } from "../chat.js";
import type { Measurement } from "../measurement.js";
import { runningServer } from "../stores/redis-server.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";

const SESSIONS = 10_000;
const AT_ONCE = 200;
/** Keys that hold the sessions themselves; all others are the index. */
const OF_A_SESSION = /\}:(?:record|session|staged):/;

/** The memory of a server for the index entries of a session. Reported without a bar. */
export function indexMemory(under: StoreUnderTest): Measurement {
  return {
    work: `${under.name}: memory of the server for the index, per session of ${SESSIONS} without labels`,
    unit: "B",
    bar: undefined,
    async measure({ folder }) {
      await using store = await under.open(folder);
      for (let from = 0; from < SESSIONS; from += AT_ONCE) {
        const ids = Array.from({ length: AT_ONCE }, (_, index) => `session-${from + index}`);
        await Promise.all(ids.map((id) => store.addMessage(id, message(0))));
      }
      let bytes = 0;
      let ofSessions = 0;
      for (const key of await allKeys()) {
        const size = Number(await runningServer().call("MEMORY", "USAGE", key, "SAMPLES", 0));
        if (OF_A_SESSION.test(key)) ofSessions += size;
        else bytes += size;
      }
      return {
        values: [bytes / SESSIONS],
        note: `a session of one message: ${Math.round(ofSessions / SESSIONS)} B`,
      };
    },
  };
}

async function allKeys(): Promise<readonly string[]> {
  const keys = await runningServer().call("KEYS", "*");
  return Array.isArray(keys) ? keys.map(String) : [];
}
