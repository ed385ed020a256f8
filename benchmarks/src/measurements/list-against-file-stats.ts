import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { alternating, costOf } from "../alternating.js";
import { atMost } from "../bar.js";
import { message } from "../chat.js";
import { ensureEqual } from "../ensure-equal.js";
import type { Measurement } from "../measurement.js";
import type { StoreUnderTest } from "../stores/store-under-test.js";

const SESSIONS = 10_000;
const PAGE = 50;

/** A page of sessions by label ÷ a stat of each session's file, which is necessary because other processes may have written. */
export function listAgainstFileStats(under: StoreUnderTest): Measurement {
  return {
    work: `${under.name}: list ${PAGE} of 10 000 sessions by label ÷ raw readdir + stat of each`,
    unit: "×",
    bar: atMost(3),
    async measure({ runs, folder }) {
      await prepare(under, folder);
      await using store = await under.open(folder);
      const list = costOf(1, async () => {
        const { items } = await store.listSessions({ labels: { tenant: "t7" }, limit: PAGE });
        ensureEqual("sessions listed", items.length, PAGE);
      });
      const look = lookAtEach(join(folder, "sessions"));
      return { values: await alternating(Math.min(runs, 5), list, costOf(1, look)) };
    },
  };
}

async function prepare(under: StoreUnderTest, folder: string): Promise<void> {
  await using store = await under.openToPrepare(folder);
  for (let index = 0; index < SESSIONS; index++) {
    const id = `s${index}`;
    await store.createSession(id, { labels: { tenant: `t${index % (SESSIONS / PAGE)}` } });
    await store.addMessage(id, [message(0), message(1)]);
  }
}

/** The paths of the files were found before. */
function lookAtEach(sessions: string): () => Promise<void> {
  const files = new Map(readdirSync(sessions).map((name) => [name, headOf(sessions, name)]));
  return async () => {
    let bytes = 0;
    for (const name of readdirSync(sessions)) bytes += statSync(files.get(name) ?? name).size;
    ensureEqual("sessions have files", bytes > 0, true);
  };
}

function headOf(sessions: string, name: string): string {
  const folder = join(sessions, name);
  const head = readdirSync(folder).toSorted().at(-1);
  if (head === undefined) throw new Error("a session without a file");
  return join(folder, head);
}
